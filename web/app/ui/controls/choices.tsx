import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ComponentPropsWithoutRef, forwardRef, type ReactNode } from 'react';

interface ToggleProps extends Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'role' | 'children'> {
  readonly label: ReactNode;
}

/** The input covers the label, so that a tooltip's trigger is the whole toggle. */
export const Toggle = forwardRef<HTMLInputElement, ToggleProps>(function Toggle(
  { label, className = '', ...rest },
  ref,
) {
  return (
    <label className={`toggle ${className}`}>
      <span className="min-w-0">{label}</span>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox implies aria-checked */}
      <input ref={ref} type="checkbox" role="switch" className="toggle-input" {...rest} />
      <span aria-hidden className="toggle-track" />
    </label>
  );
});

interface HiddenFieldsProps {
  readonly fields: Readonly<Record<string, string>>;
}

export const HiddenFields = ({ fields }: HiddenFieldsProps) =>
  Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);

export function Select({ className = '', ...rest }: ComponentPropsWithoutRef<'select'>) {
  return (
    <span className={`relative block min-w-0 ${className}`}>
      <select className="field w-full appearance-none truncate pe-10 text-[0.9375rem] disabled:opacity-50" {...rest} />
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 end-3.5 my-auto size-4 text-muted" />
    </span>
  );
}
