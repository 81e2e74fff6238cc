/**
 * Stand-ins for the Spectrum widgets that UXP has: their attributes, members, events and rough measures, on the browser's own controls, which
 * bring focus, keys and roles.
 */
const STYLE = `
  :host { display: inline-block; font: inherit; font-size: 12px; box-sizing: border-box; }
  * { box-sizing: border-box; font: inherit; color: var(--ink); }
  slot { color: inherit; }
  button { min-height: 28px; padding: 4px 14px; border: 2px solid var(--muted); border-radius: 14px; background: none; }
  :host([size=s]) button { min-height: 24px; padding: 2px 10px; border-radius: 12px; border-width: 1px; }
  :host([variant=cta]) button { border-color: #0265dc; background: #0265dc; color: #fff; }
  :host(sp-action-button) button { padding: 4px 8px; border: 0; border-radius: 4px; }
  :host([selected]) button { background: var(--surface); }
  input[type=text], select { width: 100%; min-height: 28px; padding: 2px 8px; border: 1px solid var(--muted); border-radius: 4px; background: var(--ground); }
  label { display: flex; align-items: center; gap: 8px; min-height: 28px; }
  input[type=range] { width: 100%; margin: 2px 0 4px; }
  .head { display: flex; justify-content: space-between; }
  progress { display: block; width: 100%; height: 6px; }
`;

/** @param control its markup; the first element with `data-control` is what the user reaches */
abstract class Widget<Control extends HTMLElement> extends HTMLElement {
  protected readonly root: ShadowRoot;
  protected readonly control: Control;

  constructor(markup: string) {
    super();
    this.root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.root.innerHTML = `<style>${STYLE}</style>${markup}`;
    this.control = this.root.querySelector('[data-control]') as Control;
    this.control.addEventListener('change', () => this.dispatchEvent(new Event('change', { bubbles: true })));
  }

  connectedCallback(): void {
    const label = this.getAttribute('aria-label');
    if (label === null) return;
    // An element without a role has no name.
    this.removeAttribute('aria-label');
    this.control.setAttribute('aria-label', label);
  }
}

class Button extends Widget<HTMLButtonElement> {
  constructor() {
    super('<button data-control><slot></slot></button>');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const pressed = this.getAttribute('aria-pressed');
    if (pressed === null) return;
    this.removeAttribute('aria-pressed');
    this.control.setAttribute('aria-pressed', pressed);
  }
}

class ActionButton extends Button {}

class TextField extends Widget<HTMLInputElement> {
  constructor() {
    super('<input type="text" data-control>');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.control.placeholder = this.getAttribute('placeholder') ?? '';
  }

  get value(): string {
    return this.control.value;
  }

  set value(value: string) {
    this.control.value = value;
  }
}

class Checkbox extends Widget<HTMLInputElement> {
  constructor() {
    super('<label><input type="checkbox" data-control><slot></slot></label>');
  }

  get checked(): boolean {
    return this.control.checked;
  }

  set checked(checked: boolean) {
    this.control.checked = checked;
  }
}

class Slider extends Widget<HTMLInputElement> {
  constructor() {
    super('<div class="head"><slot name="label"></slot><output></output></div><input type="range" data-control>');
    this.control.addEventListener('input', () => this.draw());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.control.min = this.getAttribute('min') ?? '';
    this.control.max = this.getAttribute('max') ?? '';
    this.control.value = this.getAttribute('value') ?? '';
    this.draw();
  }

  get value(): number {
    return this.control.valueAsNumber;
  }

  set value(value: number) {
    this.control.value = String(value);
    this.draw();
  }

  private draw(): void {
    const output = this.root.querySelector('output');
    if (output) output.textContent = `${this.control.value} ${this.getAttribute('value-label') ?? ''}`;
  }
}

class Picker extends Widget<HTMLSelectElement> {
  constructor() {
    super('<select data-control></select>');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const options = [...this.querySelectorAll('sp-menu-item')].map((item) => {
      const option = document.createElement('option');
      option.textContent = item.textContent;
      option.selected = item.hasAttribute('selected');
      option.disabled = item.hasAttribute('disabled');
      return option;
    });
    this.control.replaceChildren(...options);
  }

  get selectedIndex(): number {
    return this.control.selectedIndex;
  }
}

class ProgressBar extends Widget<HTMLProgressElement> {
  static observedAttributes = ['value', 'max'];

  constructor() {
    super('<progress data-control></progress>');
  }

  attributeChangedCallback(): void {
    this.control.max = Number(this.getAttribute('max') ?? 1);
    this.control.value = Number(this.getAttribute('value') ?? 0);
  }
}

const WIDGETS = {
  'sp-button': Button,
  'sp-action-button': ActionButton,
  'sp-textfield': TextField,
  'sp-checkbox': Checkbox,
  'sp-slider': Slider,
  'sp-picker': Picker,
  'sp-progressbar': ProgressBar,
} as const;

for (const [name, widget] of Object.entries(WIDGETS)) customElements.define(name, widget);
