import { DISPLAY_MAX_SIDE } from './types.js';

/** Side of a tile in pixels without overlap, and the pixels that it shares with each neighbor, as in Deep Zoom. */
export const TILE_SIZE = 512;
export const TILE_OVERLAP = 1;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** One size of a picture; `level` counts as in Deep Zoom: 0 is one pixel, each next one twice as large. */
export interface TileLevel extends Size {
  readonly level: number;
  readonly columns: number;
  readonly rows: number;
}

export interface TilePlace {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

/** Sizes that a picture has tiles of, largest first: a display file shows the smaller ones. Empty for a small picture. */
export function tileLevelsOf({ width, height }: Size): TileLevel[] {
  const top = Math.ceil(Math.log2(Math.max(width, height)));
  const levels: TileLevel[] = [];
  for (let level = top; ; level--) {
    const scale = 2 ** (top - level);
    const size = { width: Math.ceil(width / scale), height: Math.ceil(height / scale) };
    if (Math.max(size.width, size.height) <= DISPLAY_MAX_SIDE) return levels;
    const [columns, rows] = [Math.ceil(size.width / TILE_SIZE), Math.ceil(size.height / TILE_SIZE)];
    levels.push({ level, ...size, columns, rows });
  }
}

/** A tile with what it shares, in pixels of its level. */
export function tileBoxOf(level: Size, { column, row }: Omit<TilePlace, 'level'>) {
  const [x, width] = spanOf(level.width, column);
  const [y, height] = spanOf(level.height, row);
  return { x, y, width, height };
}

function spanOf(length: number, index: number): [start: number, length: number] {
  const start = Math.max(0, index * TILE_SIZE - TILE_OVERLAP);
  return [start, Math.min(length, (index + 1) * TILE_SIZE + TILE_OVERLAP) - start];
}

/** All tiles of a picture, in the order in which its file has them. */
export const tilesOf = (picture: Size): TilePlace[] =>
  tileLevelsOf(picture).flatMap(({ level, columns, rows }) =>
    Array.from({ length: columns * rows }, (_, at) => ({
      level,
      column: at % columns,
      row: Math.floor(at / columns),
    })),
  );

/** Place of a tile in {@link tilesOf}; null where there is no such tile. */
export function tileNumberOf(picture: Size, { level, column, row }: TilePlace): number | null {
  let before = 0;
  for (const { columns, rows, ...size } of tileLevelsOf(picture)) {
    if (size.level === level) return column < columns && row < rows ? before + row * columns + column : null;
    before += columns * rows;
  }
  return null;
}
