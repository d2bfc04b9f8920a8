# Two panels of lines over the number of rows, a line for each key's plain table.
load "common.gnuplot"
eval terminal(900, 420)
set output ARG2

# what lies on each other shares a label
label_of(key) = key eq "gen_uuidv7()" ? "v7, COMB, iUID" : key[1:14] eq "gen_short_comb" ? "short COMB" : key eq "bigint" ? "bigint" : key eq "gen_random_uuid()" ? "gen_random_uuid()" : ""
key(i) = system(sprintf("awk -F '\\t' 'NR > 1 && $2 == \"plain\" {print $1}' '%s' | uniq | sed -n %dp", ARG1, i + 1))
keys = int(system(sprintf("awk -F '\\t' 'NR > 1 && $2 == \"plain\" {print $1}' '%s' | uniq | wc -l", ARG1)))
at(i, name) = strcol(1) eq key(i) && strcol(2) eq "plain" ? column(name) : NaN
# the last batches of all clients make it a few rows more
last(i, name) = column("million rows") >= 0.99 * rows_max ? at(i, name) : NaN
stats ARG1 using (column("million rows")) nooutput name "rows"
rise(i, panel) = key(i) eq "gen_uuidv7()" ? 0.5 : key(i) eq "bigint" ? -0.5 : 0

set multiplot layout 1,2 title sprintf("Inserting into a table that grows to %.0f million rows, on disk\n", rows_max) . ARG4 . "; blue: uidext, orange: random" \
	margins 0.06,0.82,0.13,0.78 spacing 0.22
set border 3 linecolor "#666666"
set ytics scale 0.5
set grid y linecolor "#e5e5e5"
set xlabel "million rows"
set xrange [0:rows_max]
set yrange [0:*]
do for [panel = 1:2] {
	name = panel == 1 ? "x bigint" : "WAL bytes/row"
	set title panel == 1 ? "rows/s, x bigint (more is better)" : "WAL bytes a row (fewer is better)"
	plot for [i = 0:keys - 1] ARG1 using (column("million rows")):(at(i, name)) with lines linewidth 2 linecolor rgb colour(key(i)), \
		for [i = 0:keys - 1] ARG1 using (rows_max):(last(i, name)):(label_of(strcol(1))) \
			with labels left offset 0.6,rise(i, panel) textcolor rgb colour(key(i))
}
unset multiplot
