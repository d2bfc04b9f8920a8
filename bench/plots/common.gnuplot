# What the pictures share.  ARG1 is the table, ARG2 the picture, ARG3 its
# format, ARG4 the server.
#
# Three colours of Okabe and Ito, which people who see few colours tell apart:
# blue is ours, orange random, black and grey the rest.
ours = 0x0072b2
random = 0xd55e00
other = 0x999999

set datafile separator tab
set datafile missing ""
font = ARG3 eq "svg" ? "sans-serif,13" : "DejaVu Sans,11"
terminal(width, height) = ARG3 eq "svg" \
	? sprintf("set terminal svg size %d,%d font '%s' background 'white' noenhanced", width, height, font) \
	: sprintf("set terminal pngcairo size %d,%d fontscale 1.0 font '%s' background 'white' noenhanced", width, height, font)

is_ours(label) = label[1:4] eq "uid_" || label[1:4] eq "gen_" && label[1:10] ne "gen_random" || label[1:11] eq "short COMB," || label[1:7] eq "UUIDv1,"
colour(label) = is_ours(label) ? ours : strstrt(label, "gen_random_uuid") ? random : other

set border 1 linecolor "#666666"
set ytics nomirror scale 0
set xtics nomirror scale 0.5
set style fill solid noborder
set tics front
unset key
half = 0.38
