import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';

interface CompareSliderProps {
  readonly before: ReactNode;
  readonly after: ReactNode;
  readonly beforeLabel: string;
  readonly afterLabel: string;
  readonly label: string;
  readonly className?: string;
}

/** Where the handle starts, in percent of the width. */
const START = 50;

/**
 * The handle is a range input, and thus supports pointer, touch, keyboard and right-to-left text. Without JavaScript
 * the pictures are side by side.
 */
export function CompareSlider(props: CompareSliderProps) {
  const { before, after, beforeLabel, afterLabel, label, className = '' } = props;
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const { inputProps } = useDivider(frame, { start: START, beforeLabel });
  return (
    <div ref={frame} className={`compare ${className}`}>
      <figure className="compare-side">
        {before}
        <figcaption className="compare-tag">{beforeLabel}</figcaption>
      </figure>
      <figure className="compare-side compare-after">
        {after}
        <figcaption className="compare-tag compare-tag-after">{afterLabel}</figcaption>
      </figure>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input id={id} type="range" className="compare-range" {...inputProps} />
      <span aria-hidden className="compare-handle">
        <MoveHorizontal className="size-5" />
      </span>
    </div>
  );
}

/** How far keys move the divider, in percent of the width. */
const KEY_STEP = 2;
const LARGE_KEY_STEP = 10;

/**
 * Position of the divider between two pictures, in percent from the inline start; set as `--position` of the frame.
 * @param beforeLabel name of the picture at the start, which is announced with its share
 * @param shown replaces the position on the screen
 */
export function useDivider(
  frame: RefObject<HTMLElement | null>,
  { start, beforeLabel, shown }: { readonly start: number; readonly beforeLabel: string; readonly shown?: number },
) {
  const { i18n } = useTranslation();
  const [position, setPosition] = useState(start);
  // Set by script: the content security policy forbids style attributes.
  useEffect(() => frame.current?.style.setProperty('--position', `${shown ?? position}%`), [frame, shown, position]);
  return {
    position,
    setPosition,
    inputProps: {
      min: 0,
      max: 100,
      step: 0.5,
      value: position,
      'aria-valuetext': `${beforeLabel}: ${percent(position, i18n.language)}`,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setPosition(Number(event.currentTarget.value)),
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
        const step = keyStep(event);
        if (step === null) return;
        event.preventDefault();
        setPosition(Math.min(100, Math.max(0, Math.round(position) + step)));
      },
    },
  };
}

const percent = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(value / 100);

/** Signed movement for a key, in the text's direction as in a native range input; null for keys without one. */
function keyStep({ key, shiftKey, currentTarget }: KeyboardEvent<HTMLInputElement>): number | null {
  const step = shiftKey ? LARGE_KEY_STEP : KEY_STEP;
  const forward = getComputedStyle(currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (key) {
    case 'ArrowUp':
      return step;
    case 'ArrowDown':
      return -step;
    case 'ArrowLeft':
    case 'ArrowRight':
      return key === forward ? step : -step;
    case 'PageUp':
      return LARGE_KEY_STEP;
    case 'PageDown':
      return -LARGE_KEY_STEP;
    default:
      return null;
  }
}
