import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { Notice } from '../content/notice';
import type { FormField } from './use-form';

interface LabeledProps {
  readonly field: FormField;
  readonly label: ReactNode;
  readonly hint?: string;
  readonly error: string;
}

type Control<Element extends 'input' | 'textarea'> = Omit<ComponentPropsWithoutRef<Element>, 'id' | 'name'>;

export function TextField({ field, label, hint, error, defaultValue, ...input }: LabeledProps & Control<'input'>) {
  return (
    <Labeled field={field} label={label} error={error} {...(hint && { hint })}>
      <input
        dir="ltr"
        spellCheck={false}
        className="field"
        {...input}
        {...controlProps(field, hint)}
        defaultValue={field.entered ?? defaultValue}
      />
    </Labeled>
  );
}

export function TextArea({ field, label, hint, error, ...textArea }: LabeledProps & Control<'textarea'>) {
  return (
    <Labeled field={field} label={label} error={error} {...(hint && { hint })}>
      <textarea
        className="field min-h-28 py-3"
        {...textArea}
        {...controlProps(field, hint)}
        defaultValue={field.entered}
      />
    </Labeled>
  );
}

function Labeled({ field, label, hint, error, children }: LabeledProps & { readonly children: ReactNode }) {
  const { id, isInvalid } = field;
  return (
    <div className="flex w-full flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-pretty">
        {label}
      </label>
      {children}
      {isInvalid && <Notice id={`${id}-error`}>{error}</Notice>}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

function controlProps({ id, name, isInvalid }: FormField, hint: string | undefined) {
  const describedBy = [isInvalid && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { id, name, ...invalidProps(isInvalid), 'aria-describedby': describedBy || undefined };
}

interface CheckboxFieldProps {
  readonly field: FormField;
  readonly label: ReactNode;
  readonly value: string;
  readonly isChecked?: boolean;
  /** Absent where every choice is valid. */
  readonly error?: string;
}

export function CheckboxField({ field, label, value, isChecked = false, error }: CheckboxFieldProps) {
  const { id, name, isInvalid, entered } = field;
  return (
    <>
      <label className="flex min-h-11 items-center gap-3">
        <input
          id={id}
          type="checkbox"
          name={name}
          value={value}
          defaultChecked={entered === undefined ? isChecked : entered === value}
          {...invalidProps(isInvalid)}
          aria-describedby={isInvalid ? `${id}-error` : undefined}
          // A checkbox that a script focuses after a click matches no `:focus-visible`.
          className="size-5 shrink-0 accent-(--accent) aria-invalid:focus:outline-3 aria-invalid:focus:outline-(--accent) aria-invalid:focus:outline-offset-3"
        />
        {label}
      </label>
      {isInvalid && <Notice id={`${id}-error`}>{error}</Notice>}
    </>
  );
}

/** `autofocus` focuses the first invalid field without JavaScript; with it `useForm` does. */
const invalidProps = (isInvalid: boolean) => ({ autoFocus: isInvalid, 'aria-invalid': isInvalid || undefined });
