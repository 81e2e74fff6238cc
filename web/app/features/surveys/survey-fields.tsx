import { Notice } from '../../ui/content/notice';
import { Select } from '../../ui/controls/choices';
import type { FormField } from '../../ui/controls/use-form';

/** Name of the button that ends a survey without answers. */
export const DECLINE_FIELD = 'decline';

interface SelectFieldProps {
  readonly field: FormField;
  readonly label: string;
  /** Text of the option without an answer. */
  readonly empty: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly error: string;
}

export function SelectField({ field, label, empty, options, error }: SelectFieldProps) {
  const { id, name, isInvalid, entered } = field;
  return (
    <div className="flex w-full flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-pretty">
        {label}
      </label>
      <Select
        id={id}
        name={name}
        defaultValue={entered ?? ''}
        autoFocus={isInvalid}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? `${id}-error` : undefined}
      >
        <option value="">{empty}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
      {isInvalid && <Notice id={`${id}-error`}>{error}</Notice>}
    </div>
  );
}
