import { type RefObject, useEffect, useRef } from 'react';
import type { Zoom } from './use-zoom';
import { type Point, toggledZoom } from './zoom';

interface GestureHandlers {
  readonly zoom: Zoom;
  /** Moves the divider to a place in the frame, 0..1 from its left edge. */
  readonly onSlide: (fraction: number) => void;
  readonly onHold: (isHeld: boolean) => void;
}

type Mode = 'pending' | 'slide' | 'pan' | 'pinch' | 'hold';

interface Gesture {
  mode: Mode;
  readonly start: Point;
  /** Whether it began at the divider. */
  readonly isAtDivider: boolean;
  readonly holdTimer: number;
}

/** Movement in CSS pixels from which a press is a drag, and time in ms from which one is a hold. */
const DRAG_THRESHOLD = 5;
const HOLD_MS = 350;
/** Distance from the divider in CSS pixels at which a drag moves it while zoomed. */
const DIVIDER_REACH = 28;
/** Zoom per pixel of a wheel; a pinch on a touch pad sends small steps with the control key. */
const WHEEL_SPEED = 0.0015;
const PINCH_SPEED = 0.01;
/** Pixels of a wheel's line. */
const LINE_HEIGHT = 16;

/**
 * Pointer and wheel gestures of the viewer: drag to slide, or to pan while zoomed; pinch, wheel and double click to
 * zoom; press and hold for the original. A vertical swipe on the fitted picture scrolls the page (`touch-action`).
 */
export function useGestures(
  canvas: RefObject<HTMLElement | null>,
  frame: RefObject<HTMLElement | null>,
  handlers: GestureHandlers,
): void {
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const pointers = new Map<number, Point>();
    let gesture: Gesture | null = null;

    const fromCenter = ({ x, y }: Point): Point => {
      const box = element.getBoundingClientRect();
      return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
    };
    const slideTo = ({ x }: Point) => {
      const box = frame.current?.getBoundingClientRect();
      if (box?.width) latest.current.onSlide((x - box.left) / box.width);
    };
    const end = () => {
      if (!gesture) return;
      window.clearTimeout(gesture.holdTimer);
      if (gesture.mode === 'hold') latest.current.onHold(false);
      gesture = null;
    };

    const onPointerDown = (event: PointerEvent) => {
      if (event.button !== 0 || isControl(event.target)) return;
      pointers.set(event.pointerId, pointOf(event));
      if (pointers.size > 1) {
        end();
        gesture = { mode: 'pinch', start: pointOf(event), isAtDivider: false, holdTimer: 0 };
        return;
      }
      gesture = {
        mode: 'pending',
        start: pointOf(event),
        isAtDivider: isNearDivider(frame.current, event.clientX),
        holdTimer: window.setTimeout(() => {
          if (gesture?.mode !== 'pending' || gesture.isAtDivider) return;
          gesture.mode = 'hold';
          latest.current.onHold(true);
        }, HOLD_MS),
      };
    };

    const onPointerMove = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId);
      if (!before || !gesture) return;
      const point = pointOf(event);
      const { zoom } = latest.current;
      if (gesture.mode === 'pinch') {
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        pointers.set(event.pointerId, point);
        if (other) pinch(before, point, other);
        return;
      }
      pointers.set(event.pointerId, point);
      if (gesture.mode === 'pending') {
        if (distance(gesture.start, point) < DRAG_THRESHOLD) return;
        window.clearTimeout(gesture.holdTimer);
        if (event.pointerType === 'touch' && !zoom.isZoomed && isVertical(gesture.start, point)) {
          // The browser scrolls the page.
          end();
          return;
        }
        gesture.mode = zoom.isZoomed && !gesture.isAtDivider ? 'pan' : 'slide';
        element.setPointerCapture(event.pointerId);
      }
      if (gesture.mode === 'slide') slideTo(point);
      else if (gesture.mode === 'pan')
        zoom.change((view) => ({ ...view, x: view.x + point.x - before.x, y: view.y + point.y - before.y }));
    };

    const pinch = (before: Point, after: Point, other: Point) => {
      const { zoom } = latest.current;
      const from = fromCenter(middle(before, other));
      const to = fromCenter(middle(after, other));
      zoom.change((view) => ({ ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y }));
      const ratio = distance(after, other) / Math.max(1, distance(before, other));
      zoom.zoomTo(zoom.current().zoom * ratio, to);
    };

    const onPointerEnd = (event: PointerEvent) => {
      pointers.delete(event.pointerId);
      end();
    };

    const onWheel = (event: WheelEvent) => {
      if (isControl(event.target)) return;
      const { zoom } = latest.current;
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_HEIGHT : event.deltaY;
      const target = zoom.current().zoom * Math.exp(-pixels * (event.ctrlKey ? PINCH_SPEED : WHEEL_SPEED));
      // The fitted picture can't get smaller: the page scrolls.
      if (target < 1 && zoom.current().zoom <= 1 && !event.ctrlKey) return;
      event.preventDefault();
      zoom.zoomTo(Math.max(target, Math.min(1, zoom.current().zoom)), fromCenter(pointOf(event)));
    };

    const onDoubleClick = (event: MouseEvent) => {
      const { zoom } = latest.current;
      if (isControl(event.target) || !zoom.surface) return;
      zoom.zoomTo(toggledZoom(zoom.current(), zoom.surface), fromCenter(pointOf(event)));
    };

    // A long touch must not open the picture's menu instead.
    const onContextMenu = (event: MouseEvent) => {
      if (gesture) event.preventDefault();
    };

    element.addEventListener('pointerdown', onPointerDown);
    element.addEventListener('pointermove', onPointerMove);
    element.addEventListener('pointerup', onPointerEnd);
    element.addEventListener('pointercancel', onPointerEnd);
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('dblclick', onDoubleClick);
    element.addEventListener('contextmenu', onContextMenu);
    return () => {
      end();
      element.removeEventListener('pointerdown', onPointerDown);
      element.removeEventListener('pointermove', onPointerMove);
      element.removeEventListener('pointerup', onPointerEnd);
      element.removeEventListener('pointercancel', onPointerEnd);
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('dblclick', onDoubleClick);
      element.removeEventListener('contextmenu', onContextMenu);
    };
  }, [canvas, frame]);
}

const pointOf = ({ clientX, clientY }: MouseEvent): Point => ({ x: clientX, y: clientY });

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

const isVertical = (from: Point, to: Point): boolean => Math.abs(to.y - from.y) > Math.abs(to.x - from.x);

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-controls]') !== null;

/** The divider's handle is drawn by the frame's style sheet. */
function isNearDivider(frame: HTMLElement | null, x: number): boolean {
  const box = frame?.querySelector('[data-divider]')?.getBoundingClientRect();
  return box !== undefined && Math.abs(x - box.left - box.width / 2) <= DIVIDER_REACH;
}
