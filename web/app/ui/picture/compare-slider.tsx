import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import { type ReactNode, useId, useRef } from 'react';
import { useDivider } from './use-divider';

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
