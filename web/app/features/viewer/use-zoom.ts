import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  actualSizeZoom,
  clampView,
  FITTED,
  fittedSize,
  type Point,
  type Size,
  scaleOf,
  type View,
  zoomAt,
} from './zoom';

export interface Zoom {
  /** Null until measured. */
  readonly surface: { readonly canvas: Size; readonly picture: Size } | null;
  readonly view: View;
  /** CSS pixels per pixel of the picture; null until measured. */
  readonly scale: number | null;
  readonly isZoomed: boolean;
  /** The latest view, for event handlers. */
  readonly current: () => View;
  readonly change: (next: (view: View) => View) => void;
  /** @param at from the canvas's center; the center by default */
  readonly zoomTo: (zoom: number, at?: Point) => void;
  readonly fit: () => void;
  readonly showActualSize: () => void;
}

const CENTER: Point = { x: 0, y: 0 };

/** Zoom and position of a picture in a canvas, as custom properties of the canvas. */
export function useZoom(canvas: RefObject<HTMLElement | null>, picture: Size): Zoom {
  const { width, height } = picture;
  const [size, setSize] = useState<Size | null>(null);
  const [view, setView] = useState(FITTED);
  const latest = useRef(FITTED);
  const surface = useMemo(() => size && { canvas: size, picture: { width, height } }, [size, width, height]);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = element;
      if (clientWidth > 0 && clientHeight > 0) setSize({ width: clientWidth, height: clientHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas]);

  const change = useCallback(
    (next: (view: View) => View) => {
      if (!surface) return;
      const clamped = clampView(next(latest.current), surface);
      latest.current = clamped;
      canvas.current?.style.setProperty('--zoom', String(clamped.zoom));
      canvas.current?.style.setProperty('--pan-x', `${clamped.x}px`);
      canvas.current?.style.setProperty('--pan-y', `${clamped.y}px`);
      setView(clamped);
    },
    [canvas, surface],
  );
  // After a resize the picture may not reach the canvas's edges any more.
  useEffect(() => change((unchanged) => unchanged), [change]);

  const zoomTo = useCallback(
    (zoom: number, at = CENTER) => {
      if (surface) change((from) => zoomAt(from, zoom, at, surface));
    },
    [change, surface],
  );
  const fit = useCallback(() => change(() => FITTED), [change]);
  const showActualSize = useCallback(() => {
    if (surface) zoomTo(actualSizeZoom(surface));
  }, [zoomTo, surface]);
  const current = useCallback(() => latest.current, []);

  return {
    surface,
    view,
    scale: surface && scaleOf(view, surface),
    isZoomed: surface !== null && reachesBeyond(view, surface),
    current,
    change,
    zoomTo,
    fit,
    showActualSize,
  };
}

function reachesBeyond({ zoom }: View, surface: { readonly canvas: Size; readonly picture: Size }): boolean {
  const fitted = fittedSize(surface);
  // Half a pixel of rounding.
  return fitted.width * zoom > surface.canvas.width + 0.5 || fitted.height * zoom > surface.canvas.height + 0.5;
}
