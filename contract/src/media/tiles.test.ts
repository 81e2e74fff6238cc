import { expect, it } from 'vitest';
import { tileBoxOf, tileLevelsOf, tileNumberOf, tilesOf } from './tiles.js';

it('has tiles of the sizes that display files do not show', () => {
  expect(tileLevelsOf({ width: 2048, height: 1536 })).toEqual([]);
  expect(tileLevelsOf({ width: 6000, height: 4000 })).toEqual([
    { level: 13, width: 6000, height: 4000, columns: 12, rows: 8 },
    { level: 12, width: 3000, height: 2000, columns: 6, rows: 4 },
  ]);
  expect(tileLevelsOf({ width: 5, height: 2049 })).toEqual([
    { level: 12, width: 5, height: 2049, columns: 1, rows: 5 },
  ]);
});

it('numbers the tiles of a picture in the order of its file', () => {
  const picture = { width: 4801, height: 3001 };
  expect(tilesOf(picture).map((place) => tileNumberOf(picture, place))).toEqual(tilesOf(picture).map((_, at) => at));
  expect(tileNumberOf(picture, { level: 13, column: 10, row: 0 })).toBeNull();
  expect(tileNumberOf(picture, { level: 13, column: 0, row: 6 })).toBeNull();
  expect(tileNumberOf(picture, { level: 11, column: 0, row: 0 })).toBeNull();
});

it('shares a pixel of a tile with each neighbor', () => {
  const level = { width: 3000, height: 2000 };
  expect(tileBoxOf(level, { column: 0, row: 0 })).toEqual({ x: 0, y: 0, width: 513, height: 513 });
  expect(tileBoxOf(level, { column: 5, row: 1 })).toEqual({ x: 2559, y: 511, width: 441, height: 514 });
});
