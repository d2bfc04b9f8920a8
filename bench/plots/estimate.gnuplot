# Lines over the length of the period: how far off 95 of 100 estimates are, at most.
load "common.gnuplot"
eval terminal(760, 400)
set output ARG2

line(i) = system(sprintf("tail -n +2 '%s' | cut -f 1 | grep . | uniq | sed -n %dp", ARG1, i + 1))

colour(label) = label eq "id" ? ours : label eq "created_at" ? 0x000000 : random
is_dashed(label) = label eq "created_at" ? 2 : 1

set title "How many times too many or too few rows the planner expects of a period\n95th percentile, " . ARG4 . "; blue: uidext"
set border 3 linecolor "#666666"
set ytics scale 0.5
set grid y linecolor "#e5e5e5"
set key top left
set logscale xy
set xtics ("1 s" 1, "1 min" 60, "1 h" 3600, "1 day" 86400, "10 days" 864000, "100 days" 8640000)
set xlabel "length of the period"
set ylabel "rows expected / rows there, or the inverse"
set yrange [0.8:*]
set format y "%g"
plot for [i = 0:2] ARG1 every :::i::i using (column("seconds")):(column("p95")) \
		with linespoints pointtype 7 pointsize 0.6 linewidth 2 dashtype is_dashed(line(i)) linecolor rgb colour(line(i)) title line(i)
