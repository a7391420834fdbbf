#!/bin/sh
# checked_lua.sh -- builds a Lua 5.4 that checks how its API is used, from Debian's source package.
#
#   checked_lua.sh FOLDER      makes FOLDER/lua and FOLDER/liblua.a
#
# Calls of the API that a plain Lua would let pass, a stack pushed too full say, end the program
# there. The source is downloaded once; nothing of the system's package lists is changed.
set -eu

mkdir -p "$1"
cd "$1"
[ ! -x lua ] || exit 0

folder=$PWD
mkdir -p lists/partial cache/archives/partial
{
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true
    echo "deb http://deb.debian.org/debian bookworm main"
} | sed -n 's/^deb \(.*debian.org\/debian [a-z]* .*\)/deb-src \1/p' | tail -n 1 >sources.list
cat >apt.conf <<END
Dir::Etc::SourceList "$folder/sources.list";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$folder/lists";
Dir::Cache "$folder/cache";
APT::Sandbox::User "$(id -un)";
END
export APT_CONFIG="$folder/apt.conf"
apt-get -qq update
apt-get -qq source --download-only lua5.4
tar xf lua5.4_*.orig.tar.*

cd lua-5.4.*/src
for file in l*.c; do
    [ "$file" = luac.c ] ||
        ${CC:-cc} -std=gnu99 -g -O1 -DLUA_USE_LINUX -DLUA_COMPAT_5_3 -DLUA_USE_APICHECK \
            -DLUAI_ASSERT -fPIC -c "$file"
done
mv lua.o main.o
ar rcs "$folder/liblua.a" l*.o
${CC:-cc} -o "$folder/lua.new" main.o "$folder/liblua.a" -Wl,-E -ldl -lm
mv "$folder/lua.new" "$folder/lua"
