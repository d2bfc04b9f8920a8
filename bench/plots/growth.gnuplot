# Two panels of lines over the number of rows, a line for each key.
load "common.gnuplot"
eval terminal(900, 420)
set output ARG2

key(i) = system(sprintf("tail -n +2 '%s' | cut -f 1 | grep . | uniq | sed -n %dp", ARG1, i + 1))
keys = int(system(sprintf("tail -n +2 '%s' | cut -f 1 | grep . | uniq | wc -l", ARG1)))
stats ARG1 using (column("rows") / 1e6) nooutput name "rows"
stats ARG1 using (column("memory MB")) nooutput name "memory"

# Lines that lie on each other share a label.  In the second panel these are all
# but random keys, and core has no such key before 18.
has_core = system(sprintf("grep -c '^uuidv7()' '%s'", ARG1)) > 0
panel = 1
both(label) = label eq "gen_random_uuid()" ? label : ""
first(label) = label eq "gen_uuidv7()" ? "v7, COMB, iUID" : label[1:14] eq "gen_short_comb" ? "short COMB" : label eq "bigint identity" ? "bigint" : label[1:8] eq "uuidv7()" ? "core v7" : both(label)
second(label) = label eq "gen_uuidv7()" ? "v7, COMB, iUID,\nshort COMB" : label eq "bigint identity" ? (has_core ? "bigint, core v7" : "bigint") : both(label)
shown(label) = panel == 1 ? first(label) : second(label)
rise(label) = label eq "gen_uuidv7()" ? 0.6 : label eq "bigint identity" ? (panel == 1 ? -0.4 : -1.3) : label[1:14] eq "gen_short_comb" ? 0 : label[1:8] eq "uuidv7()" ? -0.6 : 0
is_last(unused) = column("rows") / 1e6 >= rows_max

set multiplot layout 1,2 title sprintf("Inserting into a growing table; %.0f MB of shared_buffers, no waiting for the disk\n", memory_max) . ARG4 . "; blue: uidext, orange: random" \
	margins 0.06,0.82,0.13,0.78 spacing 0.22
set border 3 linecolor "#666666"
set ytics scale 0.5
set grid y linecolor "#e5e5e5"
set xlabel "million rows"
set xrange [0:rows_max]
# room above the lines for the label there
stats ARG1 using (column("rows/s, 5 steps") / 1000) nooutput name "rate"
set yrange [0:rate_max * 1.2]

# from here on the random index does not fit
stats ARG1 using (strcol(1) eq "gen_random_uuid()" && column("index MB") > column("memory MB") ? column("rows") / 1e6 : 2 * rows_max) nooutput name "outgrown"
if (outgrown_min <= rows_max) {
	set arrow 1 from outgrown_min, graph 0 to outgrown_min, graph 1 nohead linecolor "#999999" dashtype 3
	set label 1 "random index\noutgrows them " at outgrown_min, graph 0.97 right textcolor "#666666" font ",10"
}

set title "thousand rows/s (more is better)"
plot for [i = 0:keys - 1] ARG1 every :::i::i using (column("rows") / 1e6):(column("rows/s, 5 steps") / 1000) with lines linewidth 2 linecolor rgb colour(key(i)), \
	for [i = 0:keys - 1] ARG1 every :::i::i using (is_last(0) ? rows_max : NaN):(column("rows/s, 5 steps") / 1000):(shown(strcol(1))) \
		with labels left offset 0.6,rise(key(i)) textcolor rgb colour(key(i))
set title "WAL bytes a row (fewer is better)"
unset label 1
set yrange [0:*]
panel = 2
plot for [i = 0:keys - 1] ARG1 every :::i::i using (column("rows") / 1e6):(column("WAL bytes/row")) with lines linewidth 2 linecolor rgb colour(key(i)), \
	for [i = 0:keys - 1] ARG1 every :::i::i using (is_last(0) ? rows_max : NaN):(column("WAL bytes/row")):(shown(strcol(1))) \
		with labels left offset 0.6,rise(key(i)) textcolor rgb colour(key(i))
unset multiplot
