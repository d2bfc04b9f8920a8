# Horizontal bars, the first line of a table on top.
set datafile separator tab
set terminal svg size 760,560 font "sans-serif,12" background "white" noenhanced
set border 1
set ytics nomirror scale 0
set xtics nomirror
set grid x linecolor "#dddddd"
set yrange [] reverse
set style fill solid noborder
unset key
half = 0.36

ours(label) = label[1:4] eq "gen_" && label[1:10] ne "gen_random" || label[1:5] eq "short" || label[1:4] eq "UUID"
colour(label) = ours(label) ? 0x2f6f9f : 0xb0b0b0

set output ARG3 . "/generation.svg"
set title "Cost of a call, as a multiple of the floor"
set lmargin 34
set xrange [0:*]
set offsets 0, 0.7, 0, 0
plot ARG1 using (0):0:(0):(column("x floor")):($0 - half):($0 + half):(colour(strcol(1))):ytic(strcol(1)) \
	with boxxyerror linecolor rgb variable, \
	ARG1 using (column("x floor")):0:(sprintf(" %.2f", column("x floor"))) with labels left offset 0.3,0

set output ARG3 . "/index.svg"
unset offsets
set terminal svg size 760,520 noenhanced
set multiplot layout 1,2 margins 0.33,0.97,0.1,0.9 spacing 0.04
set title "WAL bytes a row"
set xrange [0:560]
set xtics 100
plot ARG2 using (0):0:(0):(column("WAL bytes/row")):($0 - half):($0 + half):(colour(strcol(1))):ytic(strcol(1)) \
	with boxxyerror linecolor rgb variable, \
	ARG2 using (column("WAL bytes/row")):0:(sprintf(" %.0f", column("WAL bytes/row"))) with labels left offset 0.3,0
unset ytics
set title "Leaf density, %"
set xrange [0:115]
set xtics 25
plot ARG2 using (0):0:(0):(column("leaf density %")):($0 - half):($0 + half):(colour(strcol(1))) \
	with boxxyerror linecolor rgb variable, \
	ARG2 using (column("leaf density %")):0:(sprintf(" %.0f", column("leaf density %"))) with labels left offset 0.3,0
unset multiplot
