import { FITTED, fittedSize, type Size, type Surface, type View } from './zoom';

interface Box extends Size {
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
