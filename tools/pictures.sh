#!/bin/sh
# pictures.sh -- plays the prototypes in build/love, without a screen, and keeps pictures of them in pictures/.
#
# tools/pictures/<name>.lua says what to do and when to save a picture, for the player in spec/love/conf.lua.
# Frames named frame001.png and so on become an animation. `pictures.sh NAME...` makes those of some only. The
# pictures of docs/tactics/ are drawn by tools/tactics_pictures.lua.
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
    base=$name
    [ -d "build/love/$name" ] || base=click_to_walk # what the script draws on
    cp -R "build/love/$base" "$game"
    mv "$game/conf.lua" "$game/conf_of_game.lua"
    cp spec/love/conf.lua "$game/"
    { echo "local player, game = ..." && cat "tools/pictures/$name.lua"; } >"$game/script.lua"
    rate=10 colors=64 real_time= # frames a second; real_time: frames a second are shown
    case $name in
    village) rate=20 ;;
    armies | click_to_walk | threads | tower) rate=20 ;;
    horde | visualiser) rate=15 real_time=1 ;;
    esac
    ASTAR_REAL_TIME=$real_time SDL_VIDEODRIVER=offscreen ALSOFT_DRIVERS=null XDG_DATA_HOME=$saved timeout 200 love "$game" ||
        echo "$name: not played, its picture stays as it was" >&2

    palette="split[a][b];[a]palettegen=max_colors=$colors:stats_mode=full[p];[b][p]paletteuse=dither=none" # of one picture
    for picture in "$saved"/love/*/"$name"*.png; do
        [ -f "$picture" ] || continue
        ffmpeg -loglevel error -y -i "$picture" -vf "$palette" "pictures/$(basename "$picture")"
    done
    for first in "$saved"/love/*/frame001.png; do
        [ -f "$first" ] || continue
        # LÖVE writes pictures of few colours in another format, which ffmpeg's palettes cannot take in the middle.
        film=$work/$name.nut
        ffmpeg -loglevel error -y -framerate $rate -i "${first%001.png}%03d.png" -c:v ffv1 -pix_fmt bgr0 "$film"
        ffmpeg -loglevel error -y -i "$film" -vf "palettegen=max_colors=$colors:stats_mode=full" "$work/$name.palette.png"
        ffmpeg -loglevel error -y -i "$film" -i "$work/$name.palette.png" -lavfi "paletteuse=dither=none" "$work/$name.gif"
        gifsicle -O3 "$work/$name.gif" -o "pictures/$name.gif"
    done
done
ls -l pictures
