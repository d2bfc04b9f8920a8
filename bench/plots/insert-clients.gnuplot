# A panel of bars for each number of clients, which are the table's columns.
load "common.gnuplot"
eval terminal(900, 330)
set output ARG2

clients = system(sprintf("head -n 1 '%s' | cut -f 2-", ARG1))
panels = words(clients)
most = 0
do for [panel = 1:panels] {
	stats ARG1 skip 1 using panel + 1 nooutput name "rate"
	most = rate_max > most ? rate_max : most
}

set multiplot layout 1,panels title "Thousand rows inserted a second, by the number of clients (more is better)\n" . ARG4 . "; blue: uidext, orange: random" \
	margins 0.26,0.99,0.04,0.74 spacing 0.02
set border 0
unset xtics
set xrange [0:most * 1.35]
set yrange [] reverse
do for [panel = 1:panels] {
	set title word(clients, panel) . (word(clients, panel) eq "1" ? " client" : " clients")
	if (panel > 1) {unset ytics}
	plot ARG1 skip 1 using (0):0:(0):(column(panel + 1)):($0 - half):($0 + half):(colour(strcol(1))):ytic(strcol(1)) \
			with boxxyerror linecolor rgb variable, \
		ARG1 skip 1 using (column(panel + 1)):0:(sprintf(" %.0f", column(panel + 1))) with labels left offset 0.2,0
}
unset multiplot
