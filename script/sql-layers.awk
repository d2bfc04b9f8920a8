# The calls of an install script, for script/sql-layers.  A line "-- [file] NAME" stands
# before what is of a file.

/^-- \[file\] / { file = $3; files[++last_file] = file; caller = ""; next }

/^CREATE (FUNCTION|PROCEDURE) / {
	caller = $0
	gsub(/^CREATE [A-Z]* (uidext_internal\.)?|\(.*/, "", caller)
	if (!(caller in home)) {
		home[caller] = last_file
		functions[++last_function] = caller
	}
	# overloads count as one, which calls from the last one's file
	calling_file[caller] = last_file
	if ($3 !~ /^uidext_internal\./)
		public[caller] = 1
	body[caller] = body[caller] code(substr($0, index($0, "("))) "\n"
	next
}
/^(ALTER|COMMENT|CREATE|DO|GRANT|INSERT|REVOKE|SELECT|UPDATE) / { caller = "" }
caller != "" { body[caller] = body[caller] code($0) "\n" }

# A line without comments and strings, which may go on in the next one.
function code(line,    result, at)
{
	result = ""
	while (line != "") {
		if (in_string) {
			at = index(line, "'")
			strings[caller] = strings[caller] (at ? substr(line, 1, at) : line)
			if (!at)
				return result
			in_string = 0
			line = substr(line, at + 1)
		} else if (match(line, /'|--/)) {
			result = result substr(line, 1, RSTART - 1) " "
			if (substr(line, RSTART, 2) == "--")
				return result
			in_string = 1
			line = substr(line, RSTART + 1)
		} else
			return result line
	}
	return result
}

# What is called in a text, into found[1] and so on, by names of the extension alone.
function names_called(text, found,    n, name, before)
{
	n = 0
	gsub(/@extschema@\.|uidext_internal\./, "", text)
	while (match(text, /[a-z_][a-z0-9_]*\(/)) {
		before = RSTART > 1 ? substr(text, RSTART - 1, 1) : ""
		name = substr(text, RSTART, RLENGTH - 1)
		text = substr(text, RSTART + RLENGTH)
		if (name in home && before !~ /[.A-Za-z0-9"]/)
			found[++n] = name
	}
	return n
}

function folder(file_number)
{
	return substr(files[file_number], 1, index(files[file_number], "/"))
}

function wrong(message)
{
	print "error: " message
	failed = 1
}

function check(caller,    n, i, found)
{
	n = names_called(body[caller], found)
	for (i = 1; i <= n; i++) {
		if (found[i] == caller || (caller, found[i]) in calls)
			continue
		calls[caller, found[i]] = 1
		# what is of other folders counts as the server's own
		if (folder(home[caller]) == folder(home[found[i]]))
			called[caller, ++number_called[caller]] = found[i]
		if (home[found[i]] > calling_file[caller])
			wrong("sql/" files[calling_file[caller]] ": " caller "() calls " found[i] "() of sql/" \
				files[home[found[i]]] ", which is installed later")
	}
	n = names_called(strings[caller], found)
	for (i = 1; i <= n; i++)
		if (!(found[i] in public))
			wrong("sql/" files[calling_file[caller]] ": a string in " caller "() calls " found[i] "()")
}

# How many calls one below the other a function leads to at most, and all that it reaches.
function depth(name,    i, below)
{
	if (name in deepest)
		return deepest[name]
	deepest[name] = 0
	for (i = 1; i <= number_called[name]; i++) {
		below = depth(called[name, i]) + 1
		if (below > deepest[name]) {
			deepest[name] = below
			next_down[name] = called[name, i]
		}
	}
	return deepest[name]
}

function reach(name,    i)
{
	for (i = 1; i <= number_called[name]; i++)
		if (!(called[name, i] in reached)) {
			reached[called[name, i]] = 1
			number_reached++
			reach(called[name, i])
		}
}

function way_down(name)
{
	return name (name in next_down ? " > " way_down(next_down[name]) : "")
}

function show(name,    i, line)
{
	reach(name)
	for (i = 1; i <= last_function; i++)
		if (functions[i] in reached)
			line[home[functions[i]]] = line[home[functions[i]]] " " functions[i]
	print name "() reaches " number_reached " functions of its folder, " depth(name) " deep:"
	for (i = 1; i <= last_file; i++)
		if (i in line)
			print "sql/" files[i] ":" line[i]
	print "the longest way down: " way_down(name)
}

END {
	for (i = 1; i <= last_function; i++)
		check(functions[i])
	if (shown in home)
		show(shown)
	else if (shown != "")
		wrong("no function " shown)
	else if (edition == "c" && depth("uuid_partition_maintain") > 6)
		wrong("calls are more than 6 deep: " way_down("uuid_partition_maintain"))
	exit failed
}
