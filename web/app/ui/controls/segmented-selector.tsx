import { useId, useState } from 'react';

export interface Segment<Key extends string = string> {
  readonly key: Key;
  /** The key by default. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  /** Discount in percent, shown as a badge. */
  readonly offBadge?: number;
}

interface SegmentedSelectorProps<Key extends string> {
  readonly label: string;
  readonly options: readonly Segment<Key>[];
  readonly name?: string;
  /** Makes the selection controlled; otherwise the first option is selected initially. */
  readonly selected?: Key;
  readonly onSelect?: (key: Key) => void;
  /** Runs after `onSelect`. */
  readonly action?: (key: Key) => void;
  /** Words of a badge; none are shown without it. */
  readonly discountText?: (offBadge: number) => string;
  readonly className?: string;
}

/** Discounts of this many characters have a smaller font (spec 2, section 2). */
const LONG_DISCOUNT_LENGTH = 18;

/** Works without JavaScript. */
export function SegmentedSelector<Key extends string>(props: SegmentedSelectorProps<Key>) {
  const { label, options, name, selected, onSelect, action, discountText, className = '' } = props;
  const id = useId();
  const [uncontrolled, setUncontrolled] = useState(options[0]?.key);
  const current = selected ?? uncontrolled;

  const select = (key: Key) => {
    setUncontrolled(key);
    onSelect?.(key);
    action?.(key);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a fieldset may be a radiogroup (ARIA in HTML)
    <fieldset role="radiogroup" className={`segmented ${className}`} data-count={options.length}>
      <legend className="sr-only">{label}</legend>
      {options.map(({ key, label: text = key, isDisabled = false, offBadge }) => {
        const discount = offBadge === undefined ? null : (discountText?.(offBadge) ?? null);
        return (
          <label key={key} className="segment">
            <input
              type="radio"
              name={name ?? id}
              value={key}
              checked={key === current}
              disabled={isDisabled}
              onChange={() => select(key)}
            />
            <span className="min-w-0 text-balance hyphens-auto">{text}</span>
            {discount !== null && (
              <span className="segment-discount" data-long={[...discount].length >= LONG_DISCOUNT_LENGTH || undefined}>
                {discount}
              </span>
            )}
          </label>
        );
      })}
      <span aria-hidden className="segmented-indicator" />
    </fieldset>
  );
}
