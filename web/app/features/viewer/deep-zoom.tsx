import { TILE_SIZE, type TileLevel, type TilePlace, tileBoxOf, tileLevelsOf } from '@clearframe/contract';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { TileCache } from './tile-cache';
import type { TileSource } from './use-tiles';
import { type Box, clamp, placeOf, type Size, type Surface, type View } from './zoom';

interface DeepZoomProps {
  readonly source: TileSource;
  /** Shown where tiles are still to come. */
  readonly fallback: RefObject<HTMLImageElement>;
  readonly view: View;
  readonly surface: Surface;
}

/** Pause in ms between requests for tiles while the picture moves. */
const LOAD_EVERY_MS = 80;

/** The visible part of a picture, drawn from its tiles in pixels of the screen. */
export function DeepZoom({ source, fallback, view, surface }: DeepZoomProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = useRef({ view, surface });
  shown.current = { view, surface };
  const draw = useRef<() => void>();

  useLayoutEffect(() => {
    const colorSpace = window.matchMedia('(color-gamut: p3)').matches ? 'display-p3' : 'srgb';
    const context = canvas.current?.getContext('2d', { colorSpace });
    if (!context) return;
    const levels = tileLevelsOf(source);
    let [frame, timer] = [0, 0];
    const cache = new TileCache(source.address, () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw.current?.();
      });
    });
    draw.current = () => {
      const place = onScreen(shown.current.view, shown.current.surface);
      const level = levelFor(levels, place.picture.width);
      const loadedOf = (one: TileLevel) =>
        visibleTiles(one, place).flatMap((tile) => {
          const bitmap = cache.get(tile);
          return bitmap ? [{ bitmap, box: scaled(tileBoxOf(one, tile), one, place.picture) }] : [];
        });
      const tiles = loadedOf(level);
      const isComplete = tiles.length === visibleTiles(level, place).length;
      // Coarser ones are seen until the others are loaded.
      const coarser = isComplete ? [] : levels.filter((one) => one.level < level.level).reverse();
      drawTiles(context, place, {
        image: isComplete ? null : fallback.current,
        isOpaque: source.isOpaque,
        tiles: [...coarser.flatMap(loadedOf), ...tiles],
      });
      timer ||= window.setTimeout(() => {
        timer = 0;
        // The picture has moved on.
        const now = onScreen(shown.current.view, shown.current.surface);
        cache.load(visibleTiles(levelFor(levels, now.picture.width), now));
      }, LOAD_EVERY_MS);
    };
    return () => {
      draw.current = undefined;
      window.clearTimeout(timer);
      cancelAnimationFrame(frame);
      cache.close();
    };
  }, [source, fallback]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn
  useLayoutEffect(() => draw.current?.(), [source, view, surface]);

  return <canvas ref={canvas} aria-hidden className="viewer-tiles" />;
}

/** In pixels of the screen. */
interface Place {
  readonly frame: Size;
  readonly picture: Box;
}

function onScreen(view: View, surface: Surface): Place {
  const { frame, picture } = placeOf(view, surface);
  const ratio = window.devicePixelRatio;
  return {
    frame: { width: Math.round(frame.width * ratio), height: Math.round(frame.height * ratio) },
    picture: {
      x: picture.x * ratio,
      y: picture.y * ratio,
      width: picture.width * ratio,
      height: picture.height * ratio,
    },
  };
}

/** The smallest level with a pixel for each of the screen, else the largest. */
function levelFor(levels: readonly TileLevel[], width: number): TileLevel {
  const level = [...levels].reverse().find((one) => one.width >= width) ?? levels[0];
  if (!level) throw new Error('a small picture has no tiles');
  return level;
}

/** The middle first. */
function visibleTiles({ level, columns, rows, ...size }: TileLevel, { frame, picture }: Place): TilePlace[] {
  const indexesOf = (side: keyof Size, start: number, count: number): number[] => {
    const step = (TILE_SIZE / size[side]) * picture[side];
    const first = clamp(Math.floor(-start / step), 0, count - 1);
    const last = clamp(Math.floor((frame[side] - start) / step), 0, count - 1);
    const middle = (first + last) / 2;
    const indexes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    return indexes.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  };
  const across = indexesOf('width', picture.x, columns);
  return indexesOf('height', picture.y, rows).flatMap((row) => across.map((column) => ({ level, column, row })));
}

function scaled(box: Box, of: Size, picture: Box): Box {
  const [x, y] = [picture.width / of.width, picture.height / of.height];
  return { x: picture.x + box.x * x, y: picture.y + box.y * y, width: box.width * x, height: box.height * y };
}

interface Drawing {
  readonly image: HTMLImageElement | null;
  readonly isOpaque: boolean;
  readonly tiles: readonly { readonly bitmap: ImageBitmap; readonly box: Box }[];
}

function drawTiles(
  context: CanvasRenderingContext2D,
  { frame, picture }: Place,
  { image, isOpaque, tiles }: Drawing,
): void {
  const { canvas } = context;
  // A new size takes new memory.
  if (canvas.width === frame.width && canvas.height === frame.height)
    context.clearRect(0, 0, frame.width, frame.height);
  else Object.assign(canvas, frame);
  if (image?.complete && image.naturalWidth > 0)
    context.drawImage(image, picture.x, picture.y, picture.width, picture.height);
  for (const { bitmap, box } of tiles) {
    const { x, y, width, height } = isOpaque ? box : inWholePixels(box);
    // What lies below would show through.
    if (!isOpaque) context.clearRect(x, y, width, height);
    context.drawImage(bitmap, x, y, width, height);
  }
}

/** Edges between pixels would be drawn half, twice. */
function inWholePixels({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top };
}
