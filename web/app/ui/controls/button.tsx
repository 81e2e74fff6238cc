import { type ComponentPropsWithoutRef, forwardRef, type MouseEventHandler } from 'react';

export type ButtonKind = 'primary' | 'quiet' | 'ghost' | 'danger';
export type ButtonSize = 'regular' | 'small' | 'icon';

const SHAPE =
  'inline-flex cursor-pointer items-center justify-center font-medium transition select-none active:scale-[0.98] disabled:cursor-default disabled:opacity-50 disabled:active:scale-100 forced-colors:border';

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-accent text-on-accent shadow-soft hover:not-disabled:bg-accent-strong',
  quiet: 'bg-quiet text-ink hover:not-disabled:bg-quiet-strong',
  ghost: 'text-ink hover:not-disabled:bg-quiet',
  danger: 'bg-danger text-on-accent shadow-soft hover:not-disabled:bg-danger-strong',
};

const SIZES: Readonly<Record<ButtonSize, string>> = {
  regular: 'min-h-12 gap-2.5 rounded-full px-6 py-2.5',
  small: 'min-h-9 gap-2 rounded-full px-4 py-1.5 text-sm',
  icon: 'size-11 shrink-0 rounded-full',
};

export const buttonClass = (kind: ButtonKind, size: ButtonSize = 'regular'): string =>
  `${SHAPE} ${SIZES[size]} ${KINDS[kind]}`;

interface ButtonStyle {
  readonly kind: ButtonKind;
  readonly size?: ButtonSize;
}

export const Button = forwardRef<HTMLButtonElement, ComponentPropsWithoutRef<'button'> & ButtonStyle>(function Button(
  { kind, size, className = '', type = 'button', onClick, ...rest },
  ref,
) {
  return (
    <button
      ref={ref}
      type={type}
      className={`${buttonClass(kind, size)} ${className}`}
      onClick={type === 'submit' ? onFirstClick(onClick) : onClick}
      {...rest}
    />
  );
});

/**
 * Ignores further presses of a double-click: the first one has submitted, or was for what this button has replaced, such
 * as the link to its dialog.
 */
export const onFirstClick =
  (onClick?: MouseEventHandler<HTMLButtonElement>): MouseEventHandler<HTMLButtonElement> =>
  (event) => {
    if (event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };

/** A link with the look of a button, which loads its page by the browser. */
export function ButtonLink({ kind, size, className = '', ...rest }: ComponentPropsWithoutRef<'a'> & ButtonStyle) {
  return <a className={`${buttonClass(kind, size)} ${className}`} {...rest} />;
}
