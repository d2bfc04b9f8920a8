# Two halves of lines over the number of partitions: inserts, and joins of a day.
load "common.gnuplot"
eval terminal(900, 360)
set output ARG2

label(i) = system(sprintf("tail -n +2 '%s' | cut -f 1 | grep . | uniq | sed -n %dp", ARG1, i + 1))
stats ARG1 using (column("partitions")) nooutput name "partitions"
# Lines that lie close to each other.
rise(label) = label eq "by created_at, both" ? 0.5 : label eq "in pairs, both periods" ? -0.5 : 0
is_last(unused) = column("partitions") == partitions_max
colours = "0x0072b2 0xd55e00 0x999999"
colour(i) = int(word(colours, i % 3 + 1))

set border 3 linecolor "#666666"
set ytics scale 0.5
set grid y linecolor "#e5e5e5"
set logscale x
set xlabel "partitions"
set xrange [partitions_min:partitions_max]
set yrange [0:*]

set multiplot layout 1,2 title "Children partitioned like their parent (less is better)\n" . ARG4 . "; blue: uidext" \
	margins 0.06,0.80,0.16,0.76 spacing 0.24
do for [half = 0:1] {
	set title half ? "A day joined, planning too, ms" : "A hundred children inserted, ms"
	if (half) {set logscale y; set yrange [*:*]}
	plot for [i = 3 * half:3 * half + 2] ARG1 every :::i::i using (column("partitions")):(column("value")) \
			with linespoints pointtype 7 pointsize 0.6 linewidth 2 linecolor rgb colour(i), \
		for [i = 3 * half:3 * half + 2] ARG1 every :::i::i using (is_last(0) ? partitions_max : NaN):(column("value")):(strcol(1)) \
			with labels left offset 0.8,rise(label(i)) textcolor rgb colour(i)
}
unset multiplot
