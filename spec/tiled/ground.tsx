<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="ground" tilewidth="16" tileheight="16" tilecount="8" columns="4">
  <image source="ground.png" width="64" height="32"/>
  <tile id="0" type="grass"><properties><property name="cost" type="float" value="1"/></properties></tile>
  <tile id="1" type="road"><properties><property name="cost" type="float" value="0.5"/></properties></tile>
  <tile id="2" type="swamp"><properties><property name="cost" type="int" value="4"/></properties></tile>
  <tile id="3"><properties><property name="walkable" type="bool" value="false"/></properties></tile>
  <tile id="4"><properties><property name="terrain" value="bridge"/><property name="walkable" type="bool" value="true"/></properties></tile>
  <tile id="6" type="flower"/>
</tileset>
