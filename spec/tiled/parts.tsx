<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="parts" tilewidth="16" tileheight="16" tilecount="8" columns="4">
 <image source="ground.png" width="64" height="32"/>
 <tile id="0" type="grass"><properties><property name="cost" type="int" value="1"/></properties></tile>
 <tile id="1" type="crate"><properties><property name="collidable" type="bool" value="true"/><property name="weight" type="float" value="2.5"/></properties></tile>
 <tile id="2"><properties><property name="note">two
lines</property><property name="terrain" value="mud"/><property name="cost" type="float" value="3"/></properties></tile>
</tileset>
