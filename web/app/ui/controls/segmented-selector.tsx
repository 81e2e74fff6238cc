import { useId, useState } from 'react';

export interface Segment<Key extends string = string> {
  readonly key: Key;
  /** In the reader's language; the key stands in for it. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  /** A discount in per cent, shown as a badge. */
  readonly offBadge?: number;
}

interface SegmentedSelectorProps<Key extends string> {
  /** What is chosen between, for those who can't see it. */
  readonly label: string;
  /** Two or three. */
  readonly options: readonly Segment<Key>[];
  /** Name of the value in a form; without script this is what is sent. */
  readonly name?: string;
  /** A selection kept elsewhere. Without one the first option is selected. */
  readonly selected?: Key;
  readonly onSelect?: (key: Key) => void;
  /** Runs after the setter has been told. */
  readonly action?: (key: Key) => void;
  /** Puts a discount into words; they may be long in some languages. */
  readonly discountText?: (offBadge: number) => string;
  readonly className?: string;
}

/** A discount of this many characters is set smaller (spec 2, section 2). */
const LONG_DISCOUNT = 18;

/** One of two or three: radio inputs with an indicator that slides between them, in any form, with script or without. */
export function SegmentedSelector<Key extends string>(props: SegmentedSelectorProps<Key>) {
  const { label, options, selected, onSelect, action, className = '' } = props;
  const { discountText = (offBadge) => `-${offBadge}%` } = props;
  const id = useId();
  const [own, setOwn] = useState(options[0]?.key);
  const current = selected ?? own;

  const select = (key: Key) => {
    setOwn(key);
    onSelect?.(key);
    action?.(key);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a fieldset may be a radiogroup (ARIA in HTML)
    <fieldset role="radiogroup" className={`segmented ${className}`} data-count={options.length}>
      <legend className="sr-only">{label}</legend>
      {options.map(({ key, label: words = key, isDisabled = false, offBadge }) => {
        const discount = offBadge === undefined ? null : discountText(offBadge);
        return (
          <label key={key} className="segment">
            <input
              type="radio"
              name={props.name ?? id}
              value={key}
              checked={key === current}
              disabled={isDisabled}
              onChange={() => select(key)}
            />
            <span className="min-w-0 text-balance">{words}</span>
            {discount !== null && (
              <span className="segment-discount" data-long={[...discount].length >= LONG_DISCOUNT || undefined}>
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
