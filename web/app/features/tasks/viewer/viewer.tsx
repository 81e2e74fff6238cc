import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDivider } from '../../../ui/picture/use-divider';
import { type PictureBox, useStage } from '../../../ui/stage/stage-context';
import { knobPosition } from './knob-position';
import { useGestures } from './use-gestures';
import { useReveal } from './use-reveal';
import { useZoom } from './use-zoom';
import { clamp, type Size } from './zoom';
import { ZOOM_STEP, ZoomControls } from './zoom-controls';

export interface ViewerPicture {
  /** Null while there is no file to show. */
  readonly url: string | null;
  /** Of the same picture, shown until the other is loaded. */
  readonly placeholder?: string | null;
  readonly label: string;
  readonly alt: string;
}

interface ViewerProps {
  readonly taskId: string;
  readonly before: ViewerPicture;
  readonly after: ViewerPicture;
  /** Of the result, in pixels; `before` has the same shape. */
  readonly size: Size;
  /** In pixels of the result. The divider's knob keeps off them. */
  readonly faces: readonly PictureBox[];
}

/** Where the divider rests, in percent of the width: a result's first look is at its face. */
const REST = 25;
/** Of one press of an arrow key, in CSS pixels. */
const PAN_STEP = 60;

/** Before and after with one divider, one zoom and one position. */
export function Viewer({ taskId, before, after, size, faces }: ViewerProps) {
  const { t } = useTranslation('result');
  const canvas = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const [reveal, endReveal] = useReveal(taskId, frame);
  const { inputProps, setPosition } = useDivider(frame, {
    start: REST,
    beforeLabel: before.label,
    ...(reveal === 'before' && { shown: 100 }),
  });
  const [isHeld, setHeld] = useState(false);
  const zoom = useZoom(canvas, size);
  const { surface, view } = zoom;

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
  }, [faces, view, surface]);

  const onKeyDown = (event: KeyboardEvent) => {
    const isOnPicture = event.target === canvas.current;
    if (event.ctrlKey || event.metaKey || event.altKey || isControl(event.target)) return;
    if (event.key === '+' || event.key === '=') zoom.zoomTo(view.zoom * ZOOM_STEP);
    else if (event.key === '-') zoom.zoomTo(view.zoom / ZOOM_STEP);
    else if (event.key === '0') zoom.fit();
    else if (event.key === '1') zoom.showActualSize();
    else if (event.key === ' ') setHeld(true);
    else if (isOnPicture && zoom.isZoomed && event.key in PAN) {
      const { x, y } = PAN[event.key as keyof typeof PAN];
      zoom.change((from) => ({ ...from, x: from.x + x * PAN_STEP, y: from.y + y * PAN_STEP }));
    } else return;
    event.preventDefault();
  };

  return (
    <section
      ref={canvas}
      aria-label={t('view.label')}
      {...(surface ? { tabIndex: 0 } : {})}
      className="viewer"
      data-held={isHeld || undefined}
      data-zoomed={zoom.isZoomed || undefined}
      onKeyDown={onKeyDown}
      onKeyUp={() => setHeld(false)}
      onBlur={() => setHeld(false)}
    >
      <div ref={frame} className="viewer-frame" data-reveal={reveal ?? undefined}>
        <Side picture={before} size={size} />
        <Side picture={after} size={size} className="viewer-after">
          <Marks size={size} />
        </Side>
        <label htmlFor={id} className="sr-only">
          {t('compare')}
        </label>
        <input id={id} type="range" className="compare-range" {...inputProps} />
        <span aria-hidden data-divider className="compare-handle">
          <MoveHorizontal className="size-5" />
        </span>
      </div>
      <ZoomControls zoom={zoom} onHold={setHeld} />
    </section>
  );
}

/** Where the picture moves: an arrow shows what lies in its direction. */
const PAN = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
} as const;

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-controls]') !== null;

interface SideProps {
  readonly picture: ViewerPicture;
  readonly size: Size;
  readonly className?: string;
  readonly children?: ReactNode;
}

function Side({ picture: { url, placeholder, label, alt }, size, className = '', children }: SideProps) {
  const { t } = useTranslation('result');
  const [broken, setBroken] = useState<readonly string[]>([]);
  const isShown = (source: string | null | undefined): source is string => !!source && !broken.includes(source);
  return (
    <figure className={`viewer-side ${className}`}>
      <div className="viewer-layer">
        {isShown(placeholder) && (
          <img src={placeholder} alt="" draggable={false} onError={() => setBroken([...broken, placeholder])} />
        )}
        {isShown(url) && (
          <img src={url} alt={alt} {...size} draggable={false} onError={() => setBroken([...broken, url])} />
        )}
        {children}
      </div>
      <figcaption className="compare-tag">{label}</figcaption>
      {url && (
        <a href={url} className="absolute inset-0 js:hidden">
          <span className="sr-only">{t('view.open', { name: label })}</span>
        </a>
      )}
    </figure>
  );
}

/** What the panel shows on the result. */
function Marks({ size }: { readonly size: Size }) {
  const { highlight, overlay } = useStage();
  const percent = (value: number, of: number) => `${(value / of) * 100}%`;
  return (
    <>
      {overlay && <img src={overlay} alt="" draggable={false} className="viewer-overlay" />}
      {highlight && (
        <span
          className="viewer-highlight"
          style={{
            left: percent(highlight.x, size.width),
            top: percent(highlight.y, size.height),
            width: percent(highlight.width, size.width),
            height: percent(highlight.height, size.height),
          }}
        />
      )}
    </>
  );
}
