#!/bin/sh
# site.sh FOLDER PLAYGROUND -- builds a site from the manual in FOLDER, for `make docs`, by the settings of tools/site/conf.py. If the
# folder PLAYGROUND holds a built playground, the script copies it into the site.
set -u

modules="sphinx, myst_parser, furo"

# Debian's Sphinx belongs to Debian's Python, which need not be the first python3 on PATH.
for python in python3 /usr/bin/python3 none; do
    "$python" -c "import $modules" 2>/dev/null && break
done
if [ "$python" = none ]; then
    cat >&2 <<END
make docs needs Sphinx, MyST and the theme Furo:
  apt  python3-sphinx python3-myst-parser furo
  pip  sphinx myst-parser furo
END
    exit 1
fi

ASTAR_PLAYGROUND=
[ ! -f "$2/index.html" ] || ASTAR_PLAYGROUND=yes
export ASTAR_PLAYGROUND PYTHONDONTWRITEBYTECODE=yes

rm -rf "$1"
"$python" -m sphinx -q -n -W --keep-going -c tools/site . "$1" || exit 1
rm -rf "$1/.doctrees"
cp "$1/README.html" "$1/index.html"
if [ -n "$ASTAR_PLAYGROUND" ]; then
    cp -R "$2" "$1/playground"
    manual=
    for page in Manual=index Cheat_sheet=docs/cheat_sheet Reference=docs/reference; do
        manual="$manual<a href=\"../${page#*=}.html\">$(echo "${page%=*}" | tr _ ' ')</a>"
    done
    sed -e 's|<a id="home">|<a id="home" href="../index.html">|' -e "s|<nav id=\"manual\">|&$manual|" "$2/index.html" >"$1/playground/index.html"
fi
echo "$1/index.html"
