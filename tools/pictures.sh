#!/bin/sh
# pictures.sh -- plays the prototypes in build/love, without a screen, and keeps pictures of them in pictures/.
#
# tools/pictures/<name>.lua says what to do and when to save a picture, for the player in spec/love/conf.lua.
# Frames named frame001.png and so on become an animation. `pictures.sh NAME...` makes those of some only.
set -eu

for tool in love ffmpeg gifsicle; do
    command -v $tool >/dev/null || {
        echo "needs $tool (Debian: apt-get install love ffmpeg gifsicle)" >&2
        exit 1
    }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p pictures
[ $# -gt 0 ] || set -- $(ls tools/pictures | sed 's/\.lua$//')

for name; do
    game=$work/$name saved=$work/saved-$name
    cp -R "build/love/$name" "$game"
    mv "$game/conf.lua" "$game/conf_of_game.lua"
    cp spec/love/conf.lua "$game/"
    { echo "local player, game = ..." && cat "tools/pictures/$name.lua"; } >"$game/script.lua"
    case $name in visualiser | horde) export ASTAR_REAL_TIME=1 ;; esac # frames a second are shown
    SDL_VIDEODRIVER=offscreen ALSOFT_DRIVERS=null XDG_DATA_HOME=$saved timeout 200 love "$game" ||
        echo "$name: not played, its picture stays as it was" >&2

    unset ASTAR_REAL_TIME

    colors="split[a][b];[a]palettegen=max_colors=64:stats_mode=full[p];[b][p]paletteuse=dither=none"
    for picture in "$saved"/love/*/"$name".png; do
        [ -f "$picture" ] || continue
        ffmpeg -loglevel error -y -i "$picture" -vf "$colors" "pictures/$name.png"
    done
    for first in "$saved"/love/*/frame001.png; do
        [ -f "$first" ] || continue
        ffmpeg -loglevel error -y -framerate 10 -i "${first%001.png}%03d.png" \
            -vf "scale=iw*3/4:-1:flags=area,$colors" "$work/$name.gif"
        gifsicle -O3 --colors 32 "$work/$name.gif" -o "pictures/$name.gif"
    done
done
ls -l pictures
