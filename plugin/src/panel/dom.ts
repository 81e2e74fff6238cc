/** `name: value` as attributes, `onName` as listeners, others of {@link OWN} as members: UXP's widgets read some of them only so. */
type Props = Readonly<Record<string, unknown>>;
type Child = Node | string | null | false;

const MEMBERS: readonly string[] = ['value', 'checked', 'disabled', 'className', 'textContent'];

export function el(name: string, props: Props = {}, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2).toLowerCase(), value as EventListener);
    else {
      if (MEMBERS.includes(key)) Object.assign(element, { [key]: value });
      if (key !== 'className' && key !== 'textContent') element.setAttribute(key, value === true ? '' : String(value));
    }
  }
  for (const child of children) if (child !== null && child !== false) element.append(child);
  return element;
}

const FOCUSABLE = 'sp-textfield, sp-button, sp-action-button[selected]';

/** The focus stays inside: keyboard users go on where the new children begin. */
export function replace(parent: Element, ...children: readonly Child[]): void {
  const hadFocus = parent.contains(document.activeElement);
  while (parent.firstChild) parent.firstChild.remove();
  for (const child of children) if (child !== null && child !== false) parent.append(child);
  if (hadFocus) parent.querySelector<HTMLElement>(FOCUSABLE)?.focus();
}

export function button(text: string, onClick: () => unknown, props: Props = {}): HTMLElement {
  return el('sp-button', { variant: 'secondary', quiet: false, ...props, onClick: () => void onClick() }, text);
}

export interface Option<Value> {
  readonly value: Value;
  readonly text: string;
  readonly isDisabled?: boolean;
}

/** A menu of choices. */
export function picker<Value extends string>(
  label: string,
  options: readonly Option<Value>[],
  selected: Value,
  onChange: (value: Value) => void,
): HTMLElement {
  const items = options.map(({ value, text, isDisabled }) =>
    el('sp-menu-item', { value, selected: value === selected, disabled: isDisabled === true }, text),
  );
  const onPick = (event: Event) => {
    const { selectedIndex } = event.target as unknown as { selectedIndex: number };
    const option = options[selectedIndex];
    if (option && !option.isDisabled) onChange(option.value);
  };
  return el(
    'sp-picker',
    { size: 's', 'aria-label': label, onChange: onPick },
    el('sp-menu', { slot: 'options' }, ...items),
  );
}

export function checkbox(text: string, checked: boolean, onChange: (checked: boolean) => void): HTMLElement {
  const onToggle = ({ target }: Event) => onChange((target as HTMLInputElement).checked);
  return el('sp-checkbox', { checked, onChange: onToggle }, text);
}

/** Of a share, shown in percent. */
export function slider(
  label: string,
  share: number,
  { min, max }: { readonly min: number; readonly max: number },
  onChange: (share: number) => void,
): HTMLElement {
  const percentOf = (value: number) => Math.round(value * 100);
  const onMove = ({ target }: Event) => onChange(Number((target as HTMLInputElement).value) / 100);
  return el(
    'sp-slider',
    {
      min: percentOf(min),
      max: percentOf(max),
      value: percentOf(share),
      'value-label': '%',
      'aria-label': label,
      onChange: onMove,
    },
    el('sp-label', { slot: 'label' }, label),
  );
}

export const text = (content: string, className = ''): HTMLElement =>
  el('div', { className: `text ${className}`.trim(), textContent: content });

export const heading = (content: string): HTMLElement => el('h2', { textContent: content });

/** News that a screen reader says. */
export const status = (): HTMLElement => el('div', { className: 'text status', role: 'status' });
