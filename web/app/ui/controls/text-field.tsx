import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { Notice } from '../content/notice';

interface TextFieldProps extends Omit<ComponentPropsWithoutRef<'input'>, 'id'> {
  readonly id: string;
  readonly label: ReactNode;
  /** Shown below the field. */
  readonly hint?: string;
  /** What is wrong with the value; null while it is valid. */
  readonly error: string | null;
}

/** An input with its label, error and hint. Rendered with an error it takes the focus, with or without script. */
export function TextField({ id, label, hint, error, ...input }: TextFieldProps) {
  const isInvalid = error !== null;
  const described = [isInvalid && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const state = {
    autoFocus: isInvalid,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': described || undefined,
  };
  return (
    <div className="flex w-full flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-pretty">
        {label}
      </label>
      <input id={id} dir="ltr" spellCheck={false} className="field" {...input} {...state} />
      {isInvalid && <Notice id={`${id}-error`}>{error}</Notice>}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
