import { expect, test } from 'vitest';
import {
  actualSizeZoom,
  clampView,
  FITTED,
  fittedSize,
  knobPosition,
  placeOf,
  type Surface,
  scaleOf,
  toggledZoom,
  zoomAt,
} from './zoom';

/** A portrait in a landscape canvas: fitted to 600 × 800. */
const surface: Surface = { canvas: { width: 1000, height: 800 }, picture: { width: 1200, height: 1600 } };

test('the fitted picture touches the nearer edges', () => {
  expect(fittedSize(surface)).toEqual({ width: 600, height: 800 });
  expect(scaleOf(FITTED, surface)).toBe(0.5);
  expect(actualSizeZoom(surface)).toBe(2);
});

test('the point below the pointer stays in place while zooming', () => {
  const at = { x: 100, y: -50 };
  const view = zoomAt(FITTED, 2, at, surface);
  // Distance from the picture's center, in fitted pixels.
  expect((at.y - view.y) / view.zoom).toBeCloseTo(at.y, 10);
  // 1200 pixels wide in a canvas of 1000: the shift of 100 is allowed.
  expect(view.x).toBe(-100);
});

test('the picture can be shifted only as far as it reaches beyond the canvas', () => {
  expect(clampView({ zoom: 1, x: 50, y: 50 }, surface)).toEqual({ zoom: 1, x: 0, y: 0 });
  expect(clampView({ zoom: 2, x: 500, y: -500 }, surface)).toEqual({ zoom: 2, x: 100, y: -400 });
});

test('the zoom ends at the fitted picture and at four times its pixels', () => {
  expect(clampView({ zoom: 0.2, x: 0, y: 0 }, surface).zoom).toBe(1);
  expect(clampView({ zoom: 99, x: 0, y: 0 }, surface).zoom).toBe(8);
  const small: Surface = { ...surface, picture: { width: 120, height: 160 } };
  // A small picture can be shown in its own size.
  expect(clampView({ zoom: 0, x: 0, y: 0 }, small).zoom).toBe(0.2);
  expect(clampView({ zoom: 99, x: 0, y: 0 }, small).zoom).toBe(4);
});

test('the frame ends with the canvas, and the picture lies around it', () => {
  const fitted = { width: 600, height: 800 };
  expect(placeOf(FITTED, surface)).toEqual({ frame: fitted, picture: { x: 0, y: 0, ...fitted } });
  expect(placeOf({ zoom: 2, x: -100, y: 50 }, surface)).toEqual({
    frame: { width: 1000, height: 800 },
    picture: { x: -200, y: -350, width: 1200, height: 1600 },
  });
});

test('a double click goes to the pixels and back', () => {
  expect(toggledZoom(FITTED, surface)).toBe(2);
  expect(toggledZoom({ ...FITTED, zoom: 2 }, surface)).toBe(1);
});

test('the knob is in the middle unless a face is there', () => {
  expect(knobPosition([], FITTED, surface)).toBe(50);
  expect(knobPosition([{ x: 300, y: 0, width: 500, height: 600 }], FITTED, surface)).toBe(50);
  expect(knobPosition([{ x: 300, y: 500, width: 500, height: 500 }], FITTED, surface)).toBe(70);
});

test('the knob is where faces cover it least when they fill the frame', () => {
  expect(knobPosition([{ x: 0, y: 0, width: 1200, height: 1450 }], FITTED, surface)).toBe(88);
});

test('the knob keeps off a face that was moved into the middle', () => {
  const face = { x: 500, y: 100, width: 100, height: 100 };
  expect(knobPosition([face], FITTED, surface)).toBe(50);
  const view = clampView({ zoom: 2, x: 0, y: 600 }, surface);
  expect(knobPosition([face], view, surface)).toBe(50);
  expect(knobPosition([{ ...face, y: 350, height: 100 }], view, surface)).not.toBe(50);
});
