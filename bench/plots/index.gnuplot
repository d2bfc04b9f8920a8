# Two columns of bars: what a key does to the WAL and to its index.
load "common.gnuplot"
eval terminal(860, 500)
set output ARG2

set yrange [] reverse
set multiplot layout 1,2 title "What a key costs: WAL written and how full its index stays\n" . ARG4 . "; blue: uidext, orange: random" \
	margins 0.34,0.97,0.06,0.82 spacing 0.06
set title "WAL bytes a row (fewer: better)"
set border 0
unset xtics
stats ARG1 using (column("WAL bytes/row")) nooutput name "wal"
set xrange [0:wal_max * 1.2]
plot ARG1 using (0):0:(0):(column("WAL bytes/row")):($0 - half):($0 + half):(colour(strcol(1))):ytic(strcol(1)) \
		with boxxyerror linecolor rgb variable, \
	ARG1 using (column("WAL bytes/row")):0:(sprintf(" %.0f", column("WAL bytes/row"))) with labels left offset 0.3,0
unset ytics
set title "Leaf pages filled, % (more: better)"
set xrange [0:115]
plot ARG1 using (0):0:(0):(column("leaf density %")):($0 - half):($0 + half):(colour(strcol(1))) \
		with boxxyerror linecolor rgb variable, \
	ARG1 using (column("leaf density %")):0:(sprintf(" %.0f", column("leaf density %"))) with labels left offset 0.3,0
unset multiplot
