# Picks one edition of the SQL: awk -v edition=c -f edition.awk FILE...
#
# A line "-- [c]", "-- [sql]" or "-- [both]" says whose the following ones are,
# until the next such line or the end of the file.

FNR == 1 { whose = "both"; if (NR > 1) line("") }
/^-- \[(c|sql|both)\]$/ { whose = substr($2, 2, length($2) - 2); next }
whose == "both" || whose == edition { line($0) }

function line(text)
{
	if (text != "" || last != "")
		print text
	last = text
}
