# Two columns of bars: what COPY takes of the processor, and the WAL that it writes.
load "common.gnuplot"
eval terminal(900, 300)
set output ARG2

# ours as well, and what the others are compared with
by_rows(label) = strstrt(label, "row by row") ? other : colour(label)

set yrange [] reverse
set multiplot layout 1,2 title "COPY of a million rows whose ids the server makes (less is better)\n" . ARG4 . "; blue: uidext, in batches" \
	margins 0.24,0.97,0.05,0.72 spacing 0.04
set border 0
unset xtics
set title "seconds of the processor"
stats ARG1 using (column("CPU seconds")) nooutput name "cpu"
# beyond nought, too, where a few rows take less than is shown
set xrange [0:cpu_max * 1.2 + 0.01]
plot ARG1 using (0):0:(0):(column("CPU seconds")):($0 - half):($0 + half):(by_rows(strcol(1))):ytic(strcol(1)) \
		with boxxyerror linecolor rgb variable, \
	ARG1 using (column("CPU seconds")):0:(sprintf(" %.2f", column("CPU seconds"))) with labels left offset 0.2,0
unset ytics
set title "bytes of WAL a row"
stats ARG1 using (column("WAL bytes/row")) nooutput name "wal"
set xrange [0:wal_max * 1.2]
plot ARG1 using (0):0:(0):(column("WAL bytes/row")):($0 - half):($0 + half):(by_rows(strcol(1))) \
		with boxxyerror linecolor rgb variable, \
	ARG1 using (column("WAL bytes/row")):0:(sprintf(" %.0f", column("WAL bytes/row"))) with labels left offset 0.2,0
unset multiplot
