import type { ComponentPropsWithoutRef } from 'react';

type Kind = 'primary' | 'quiet';

const SHAPE =
  'inline-flex min-h-12 cursor-pointer items-center justify-center gap-2.5 rounded-full px-6 py-2.5 font-medium transition select-none disabled:cursor-default disabled:opacity-50';

const KINDS: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-on-accent shadow-soft hover:bg-accent-strong active:scale-[0.98]',
  quiet: 'bg-raised text-ink shadow-soft hover:bg-raised-strong active:scale-[0.98]',
};

/** The look of a button, for things that are none (a label). */
export const buttonClass = (kind: Kind): string => `${SHAPE} ${KINDS[kind]}`;

interface Look {
  readonly kind: Kind;
}

export function Button({ kind, className = '', type = 'button', ...rest }: ComponentPropsWithoutRef<'button'> & Look) {
  return <button type={type} className={`${buttonClass(kind)} ${className}`} {...rest} />;
}

/** A plain link that looks like a button. It loads the page anew. */
export function ButtonLink({ kind, className = '', ...rest }: ComponentPropsWithoutRef<'a'> & Look) {
  return <a className={`${buttonClass(kind)} ${className}`} {...rest} />;
}
