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
