import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useDivider } from '../../ui/picture/compare-slider';
import type { PictureBox } from '../../ui/stage/stage-context';
import { useGestures } from './use-gestures';
import type { Reveal } from './use-reveal';
import { useZoom, type Zoom } from './use-zoom';
import { clamp, knobPosition, type Size } from './zoom';
import { ZOOM_STEP, ZoomControls } from './zoom-controls';

interface ComparisonProps {
  readonly label: string;
  readonly frame: RefObject<HTMLDivElement>;
  /** Size of the result in pixels; the original has the same shape. */
  readonly size: Size;
  /** Boxes in pixels of the result. The divider's knob keeps clear of them. */
  readonly faces: readonly PictureBox[];
  readonly beforeLabel: string;
  readonly children: ReactNode;
  readonly reveal?: readonly [Reveal, () => void];
  /** Called when the picture is larger than fitted. */
  readonly onCloser?: () => void;
  /** Handles a key before the comparison does. @returns whether it did */
  readonly onKey?: (event: KeyboardEvent) => boolean;
}

/** Initial position of the divider in percent of the width: a first look is at the result's face. */
const INITIAL_POSITION = 25;
/** CSS pixels that one press of an arrow key pans. */
const PAN_STEP = 60;

/** Of the comparison around a picture. */
export const ZoomContext = createContext<Zoom | null>(null);

export function Comparison(props: ComparisonProps) {
  const {
    label,
    frame,
    size,
    faces,
    beforeLabel,
    children,
    onCloser,
    reveal: [reveal, endReveal] = [null, () => {}],
  } = props;
  const { t } = useTranslation('result');
  const canvas = useRef<HTMLDivElement>(null);
  const id = useId();
  const { inputProps, setPosition } = useDivider(frame, {
    start: INITIAL_POSITION,
    beforeLabel,
    ...(reveal === 'before' && { shown: 100 }),
  });
  const [isHeld, setHeld] = useState(false);
  const zoom = useZoom(canvas, size);
  const { surface, view } = zoom;

  const isCloser = view.zoom > 1;
  useEffect(() => {
    if (isCloser) onCloser?.();
  }, [isCloser, onCloser]);

  useGestures(canvas, frame, {
    zoom,
    onHold: setHeld,
    onSlide: (fraction) => {
      const isRightToLeft = frame.current !== null && getComputedStyle(frame.current).direction === 'rtl';
      endReveal();
      setPosition(clamp((isRightToLeft ? 1 - fraction : fraction) * 100, 0, 100));
    },
  });
  useEffect(() => {
    if (surface) frame.current?.style.setProperty('--knob', `${knobPosition(faces, view, surface)}%`);
  }, [faces, view, surface, frame]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isOnPicture = event.target === canvas.current;
    if (event.ctrlKey || event.metaKey || event.altKey || isControl(event.target)) return;
    if (event.key === '+' || event.key === '=') zoom.zoomTo(view.zoom * ZOOM_STEP);
    else if (event.key === '-') zoom.zoomTo(view.zoom / ZOOM_STEP);
    else if (event.key === '0') zoom.fit();
    else if (event.key === '1') zoom.showActualSize();
    else if (isOnPicture && zoom.isZoomed && event.key in PAN) {
      const { x, y } = PAN[event.key as keyof typeof PAN];
      zoom.change((from) => ({ ...from, x: from.x + x * PAN_STEP, y: from.y + y * PAN_STEP }));
    } else if (props.onKey?.(event)) {
      // The caller has handled the key.
    } else if (event.key === ' ') setHeld(true);
    else return;
    event.preventDefault();
  };

  return (
    <section
      ref={canvas}
      aria-label={label}
      {...(surface ? { tabIndex: 0 } : {})}
      className="viewer"
      data-held={isHeld || undefined}
      data-zoomed={zoom.isZoomed || undefined}
      onKeyDown={onKeyDown}
      onKeyUp={({ target, key }) => key === ' ' && !isControl(target) && setHeld(false)}
      onBlur={({ currentTarget, relatedTarget }) => isWithin(currentTarget, relatedTarget) || setHeld(false)}
    >
      <div ref={frame} className="viewer-frame" data-reveal={reveal ?? undefined}>
        <ZoomContext.Provider value={zoom}>{children}</ZoomContext.Provider>
        <label htmlFor={id} className="sr-only">
          {t('compare')}
        </label>
        <input id={id} type="range" className="compare-range" {...inputProps} />
        <span aria-hidden data-divider className="compare-handle">
          <MoveHorizontal className="size-5" />
        </span>
      </div>
      <ZoomControls {...{ zoom, isHeld }} onHold={setHeld} />
    </section>
  );
}

/** Directions in which the picture moves: an arrow shows what lies in its direction. */
const PAN = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
} as const;

/** Buttons beside the canvas belong to it, as those that step through a video. */
const isWithin = (canvas: Element, target: EventTarget | null): boolean =>
  target instanceof Element && (canvas.closest('[data-stage]') ?? canvas).contains(target);

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-controls]') !== null;
