# Lines over the number of partitions, a line for each form of the query.
load "common.gnuplot"
eval terminal(760, 400)
set output ARG2

form(i) = system(sprintf("tail -n +2 '%s' | cut -f 1 | grep . | uniq | sed -n %dp", ARG1, i + 1))
stats ARG1 using (column("partitions")) nooutput name "partitions"

# The first six lines are those of one hour.
forms = 6
colour(label) = label[1:2] eq "id" ? ours : label eq "bounds by hand" || label[1:5] eq "uuid_" ? 0x000000 : label eq "created_at, indexed" ? random : other
is_last(unused) = column("partitions") == partitions_max
# Lines that lie on each other share a label.
shown(label) = label[1:5] eq "id >=" ? "time predicates on the id" : label[1:5] eq "id <@" || label[1:5] eq "uuid_" ? "" \
	: label eq "created_at, indexed" ? "created_at with an index,\npartitioned by id" : label
rise(label) = label eq "partitioned by created_at" ? 0.8 : label eq "bounds by hand" ? -0.7 : label[1:5] eq "id >=" ? 0.4 : 0

set title "Planning a search for one hour, by the number of partitions\n" . ARG4 . "; blue: uidext"
set border 3 linecolor "#666666"
set ytics scale 0.5
set grid y linecolor "#e5e5e5"
set rmargin 28
set logscale xy
set xlabel "partitions"
set ylabel "planning, ms (less is better)"
set xrange [1:partitions_max]
set yrange [0.005:*]
set format y "%g"
plot for [i = 0:forms - 1] ARG1 every :::i::i using (column("partitions")):(column("planning ms")) \
		with linespoints pointtype 7 pointsize 0.6 linewidth 2 linecolor rgb colour(form(i)), \
	for [i = 0:forms - 1] ARG1 every :::i::i using (is_last(0) ? partitions_max : NaN):(column("planning ms")):(shown(strcol(1))) \
		with labels left offset 0.8,rise(form(i)) textcolor rgb colour(form(i))
