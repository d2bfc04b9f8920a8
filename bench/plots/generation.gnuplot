# Bars: what a call costs, in floors.
load "common.gnuplot"
eval terminal(920, 700)
set output ARG2

set label 1 "Cost of one call, in multiples of the floor (less is better)\n" . ARG4 . ", one session; blue: uidext, orange: gen_random_uuid()" \
	at screen 0.5, screen 0.97 center
set tmargin 4
set lmargin 62
set rmargin 8
set yrange [] reverse
set xrange [0:*]
set offsets 0, 1, 0.3, 0.6
set grid x linecolor "#e5e5e5"
set xlabel "floor: a C function that returns a new, constant uuid"
set arrow 1 from 1, graph 0 to 1, graph 1 nohead front linecolor "black" dashtype 2

# uuid-ossp costs so much that the others would be slivers: its bars are cut
limit = 12
cut(x) = x > limit ? limit : x
# a label left of the floor's line would be crossed by it
beside(x) = x < 1 ? 1 : cut(x)
plot ARG1 using (0):0:(0):(cut(column("x floor"))):($0 - half):($0 + half):(colour(strcol(1))):ytic(strcol(1)) \
		with boxxyerror linecolor rgb variable, \
	ARG1 using (beside(column("x floor"))):0:(sprintf(column("x floor") > limit ? " %.0f >>" : " %.2f", column("x floor"))) \
		with labels left offset 0.3,0
