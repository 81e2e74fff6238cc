import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import { type ReactNode, useId, useRef } from 'react';

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

/**
 * Two pictures of the same size, one over the other. The handle is a range input, and thus supports pointer, touch,
 * keyboard and right-to-left text. Without JavaScript the pictures are side by side.
 */
export function CompareSlider(props: CompareSliderProps) {
  const { before, after, beforeLabel, afterLabel, label, showsBefore = false, className = '' } = props;
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
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
        defaultValue={50}
        className="compare-range"
        onInput={(event) => frame.current?.style.setProperty('--position', `${event.currentTarget.value}%`)}
      />
      <span aria-hidden className="compare-handle">
        <MoveHorizontal className="size-5" />
      </span>
    </div>
  );
}
