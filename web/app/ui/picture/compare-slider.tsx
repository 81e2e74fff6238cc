import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface CompareSliderProps {
  readonly before: ReactNode;
  readonly after: ReactNode;
  readonly beforeLabel: string;
  readonly afterLabel: string;
  /** Accessible name of the handle. */
  readonly label: string;
  /** Shows 'before' alone. */
  readonly showsBefore?: boolean;
  readonly className?: string;
}

/** Where the handle starts and how far keys move it, in percent of the width. */
const START = 50;
const KEY_STEP = 2;
const LARGE_KEY_STEP = 10;

/**
 * Two pictures of the same size, one over the other. The handle is a range input, and thus supports pointer, touch,
 * keyboard and right-to-left text. Without JavaScript the pictures are side by side.
 */
export function CompareSlider(props: CompareSliderProps) {
  const { before, after, beforeLabel, afterLabel, label, showsBefore = false, className = '' } = props;
  const { i18n } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const [position, setPosition] = useState(START);
  // Set by script: the content security policy forbids style attributes.
  useEffect(() => frame.current?.style.setProperty('--position', `${position}%`), [position]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = keyStep(event);
    if (step === null) return;
    event.preventDefault();
    setPosition(Math.min(100, Math.max(0, Math.round(position) + step)));
  };
  return (
    <div ref={frame} className={`compare ${className}`} data-held={showsBefore || undefined}>
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
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={0.5}
        value={position}
        aria-valuetext={`${beforeLabel}: ${percent(position, i18n.language)}`}
        className="compare-range"
        onChange={(event) => setPosition(Number(event.currentTarget.value))}
        onKeyDown={onKeyDown}
      />
      <span aria-hidden className="compare-handle">
        <MoveHorizontal className="size-5" />
      </span>
    </div>
  );
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
