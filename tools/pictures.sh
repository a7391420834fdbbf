#!/bin/sh
# pictures.sh -- plays the prototypes in build/love, without a screen, and keeps pictures of them in pictures/.
#
# tools/pictures/<name>.lua says what to do and when to save a picture, for the player in spec/love/conf.lua.
# Frames named frame001.png and so on become an animation. `pictures.sh NAME...` makes those of some only. The picture
# "painting" is filmed in the playground, which `make playground` builds before. The pictures of docs/tactics/ are drawn by
# tools/tactics_pictures.lua.
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
[ $# -gt 0 ] || set -- $(ls tools/pictures | sed 's/\.lua$//') painting

# Makes an animation of FOLDER/frame001.png and so on: animate FOLDER NAME RATE COLORS. LÖVE writes pictures of few colours
# in another format, which ffmpeg's palettes cannot take in the middle of a film, so all frames become a film first.
animate() {
    film=$work/$2.nut
    ffmpeg -loglevel error -y -framerate "$3" -i "$1/frame%03d.png" -c:v ffv1 -pix_fmt bgr0 "$film"
    ffmpeg -loglevel error -y -i "$film" -vf "palettegen=max_colors=$4:stats_mode=full" "$work/$2.palette.png"
    ffmpeg -loglevel error -y -i "$film" -i "$work/$2.palette.png" -lavfi "paletteuse=dither=none" "$work/$2.gif"
    gifsicle -O3 "$work/$2.gif" -o "pictures/$2.gif"
}

film_painting() {
    if [ ! -f build/playground/index.html ] || ! command -v node chromium >/dev/null; then
        echo "painting: not filmed, its picture stays as it was; make playground, and install chromium" >&2
        return
    fi
    CHROMIUM=$(command -v chromium) node tools/playground/film.mjs build/playground build/playground-parts "$work/painting"
    animate "$work/painting" painting 10 64
}

for name; do
    if [ "$name" = painting ]; then
        film_painting
        continue
    fi
    game=$work/$name saved=$work/saved-$name
    base=$name
    [ -d "build/love/$name" ] || base=click_to_walk # what the script draws on
    cp -R "build/love/$base" "$game"
    mv "$game/conf.lua" "$game/conf_of_game.lua"
    cp spec/love/conf.lua "$game/"
    { echo "local player, game = ..." && cat "tools/pictures/$name.lua"; } >"$game/script.lua"
    rate=10 colors=64 # frames a second
    case $name in
    village | click_to_walk | tower) rate=20 ;;
    armies) rate=12 colors=32 ;;
    horde) rate=15 colors=16 ;;
    esac
    SDL_VIDEODRIVER=offscreen ALSOFT_DRIVERS=null XDG_DATA_HOME=$saved timeout 400 love "$game" ||
        echo "$name: not played, its picture stays as it was" >&2

    palette="split[a][b];[a]palettegen=max_colors=$colors:stats_mode=full[p];[b][p]paletteuse=dither=none" # of one picture
    for picture in "$saved"/love/*/"$name"*.png; do
        [ -f "$picture" ] || continue
        ffmpeg -loglevel error -y -i "$picture" -vf "$palette" "pictures/$(basename "$picture")"
    done
    for first in "$saved"/love/*/frame001.png; do
        [ -f "$first" ] || continue
        animate "$(dirname "$first")" "$name" "$rate" "$colors"
    done
done
ls -l pictures
