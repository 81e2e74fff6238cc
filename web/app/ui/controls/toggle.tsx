import { type ComponentPropsWithoutRef, forwardRef, type ReactNode } from 'react';

interface ToggleProps extends Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'role' | 'children'> {
  /** What it switches. */
  readonly label: ReactNode;
}

/**
 * On or off. A checkbox, and so part of any form, with script or without. The input lies over all of it: whatever is
 * given to the component, a tooltip for one, belongs to the whole.
 */
export const Toggle = forwardRef<HTMLInputElement, ToggleProps>(function Toggle(
  { label, className = '', ...rest },
  ref,
) {
  return (
    <label className={`toggle ${className}`}>
      <span className="min-w-0">{label}</span>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox brings aria-checked with it */}
      <input ref={ref} type="checkbox" role="switch" className="toggle-input" {...rest} />
      <span aria-hidden className="toggle-track" />
    </label>
  );
});
