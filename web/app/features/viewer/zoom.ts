export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point in CSS pixels from the center of the canvas. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What is visible: `zoom` relative to the fitted picture, and the shift of the picture's center in CSS pixels. */
export interface View extends Point {
  readonly zoom: number;
}

/** Sizes in CSS pixels; the picture's in its own pixels. */
export interface Surface {
  readonly canvas: Size;
  readonly picture: Size;
}

export const FITTED: View = { zoom: 1, x: 0, y: 0 };

/** Largest enlargement of a picture's pixel, and of the fitted picture. */
const MAX_SCALE = 4;
const MIN_MAX_ZOOM = 4;

export function fittedSize({ canvas, picture }: Surface): Size {
  const scale = Math.min(canvas.width / picture.width, canvas.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** Size of the visible frame, and the picture's place in it, in CSS pixels from its top left corner. */
export function placeOf({ zoom, x, y }: View, surface: Surface): { readonly frame: Size; readonly picture: Box } {
  const { width, height } = fittedSize(surface);
  const picture = { width: width * zoom, height: height * zoom };
  const frame = {
    width: Math.min(surface.canvas.width, picture.width),
    height: Math.min(surface.canvas.height, picture.height),
  };
  const [left, top] = [(frame.width - picture.width) / 2 + x, (frame.height - picture.height) / 2 + y];
  return { frame, picture: { x: left, y: top, ...picture } };
}

/** CSS pixels per pixel of the picture. */
export const scaleOf = ({ zoom }: View, surface: Surface): number =>
  (fittedSize(surface).width * zoom) / surface.picture.width;

/** The zoom at which a pixel of the picture is a CSS pixel. */
export const actualSizeZoom = (surface: Surface): number => surface.picture.width / fittedSize(surface).width;

/** Limits the zoom, and the shift so that no edge of the picture leaves the canvas. */
export function clampView({ zoom, x, y }: View, surface: Surface): View {
  const actual = actualSizeZoom(surface);
  const clamped = clamp(zoom, Math.min(1, actual), Math.max(MIN_MAX_ZOOM, actual * MAX_SCALE));
  const fitted = fittedSize(surface);
  const limit = (side: keyof Size) => Math.max(0, (fitted[side] * clamped - surface.canvas[side]) / 2);
  return { zoom: clamped, x: clampTo(x, limit('width')), y: clampTo(y, limit('height')) };
}

/** Zooms so that the picture's point below `at` stays there. */
export function zoomAt(view: View, zoom: number, at: Point, surface: Surface): View {
  const target = clampView({ ...view, zoom }, surface).zoom;
  const ratio = target / view.zoom;
  return clampView({ zoom: target, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, surface);
}

/** Between the whole picture and a closer look. */
export const toggledZoom = (view: View, surface: Surface): number =>
  view.zoom > 1 ? 1 : Math.max(2, actualSizeZoom(surface));

export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

const clampTo = (value: number, limit: number): number => clamp(value, -limit, limit);

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Half of the knob's height with a margin, in CSS pixels. */
const KNOB_REACH = 36;
/** Heights in the frame, in percent, that are tried, from the middle outwards, the lower one first. */
const CANDIDATES = [50, 60, 40, 70, 30, 80, 20, 88, 12];

/** A phone's canvas in CSS pixels. */
const PHONE_CANVAS: Size = { width: 390, height: 600 };

/**
 * The knob's height in percent of the visible frame, at which it covers no face however it is moved; the least covered
 * height when faces fill the frame.
 * @param faces in pixels of the picture
 */
export function knobPosition(faces: readonly Box[], view: View, surface: Surface): number {
  const { canvas, picture } = surface;
  const fitted = fittedSize(surface).height * view.zoom;
  const frame = Math.min(canvas.height, fitted);
  if (!(frame > 0)) return CANDIDATES[0] ?? 50;
  const top = (frame - fitted) / 2 + view.y;
  const spans = faces.map(({ y, height }) => ({
    from: top + (y / picture.height) * fitted,
    to: top + ((y + height) / picture.height) * fitted,
  }));
  const clearance = (percent: number) => {
    const center = (percent / 100) * frame;
    return Math.min(KNOB_REACH, ...spans.map(({ from, to }) => Math.max(from - center, center - to)));
  };
  return CANDIDATES.reduce((best, candidate) => (clearance(candidate) > clearance(best) ? candidate : best));
}

/** Before the canvas is measured, so that the knob doesn't move once the page is interactive. */
export const initialKnobPosition = (faces: readonly Box[], picture: Size): number =>
  knobPosition(faces, FITTED, { canvas: PHONE_CANVAS, picture });
