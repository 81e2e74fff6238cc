import { type Choice, type Choices, lockOf, type Offer, withoutFaces } from '../core/tools.ts';
import { deletePreset, presets, savePreset } from '../work/memory.ts';
import type { App } from './app.ts';
import { button, checkbox, el, type Option, picker, replace, slider, text } from './dom.ts';

export const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Tools with their models and strength as the API offers them, and presets. */
export function toolsForm(app: App): { readonly form: HTMLElement; readonly draw: () => void } {
  const { t } = app;
  const form = el('section', { className: 'tools', 'aria-label': t('panel.tools.label') });
  const tools = el('div');
  const draw = () => replace(tools, ...app.offers.tools.map((offer) => toolRow(app, offer)), enlargeRow(app));
  const choose = (choices: Choices) => {
    app.choices = choices;
    draw();
  };
  replace(form, tools, presetRow(app, choose));
  draw();
  return { form, draw };
}

function toolRow(app: App, { tool, models, strength }: Offer): HTMLElement {
  const { t, plan } = app;
  const isTest = app.service?.isTest ?? false;
  const name = camelCase(tool);
  const title = t(`tools.${name}`);
  const options = models.map(({ model, required_plan: required }): Option<string> => {
    const lock = lockOf(required, { plan, isTest });
    const modelTitle = t(`models.${name}.${model}`);
    return {
      value: model,
      text: lock ? `${modelTitle} · ${t(`plans.${lock}`)}` : modelTitle,
      isDisabled: lock !== null,
    };
  });
  const first = options.find(({ isDisabled }) => !isDisabled);
  if (!first) {
    const required = models[0]?.required_plan ?? 'business';
    return el(
      'div',
      { className: 'tool locked' },
      text(title),
      text(t('panel.tools.locked', { plan: t(`plans.${required}`) }), 'quiet'),
      button(t('panel.tools.plans'), () => app.open('/pricing'), { size: 's' }),
    );
  }
  // Of now: other rows and documents change the choices, too.
  const choice = (): Choice =>
    app.choices.tools[tool] ?? { model: first.value, strength: strength.default, isOn: false };
  const update = (changed: Partial<Choice>) => {
    app.choices = { ...app.choices, tools: { ...app.choices.tools, [tool]: { ...choice(), ...changed } } };
  };
  // Drawn apart from the checkbox, which keeps the focus.
  const details = el('div');
  const drawDetails = () => {
    const { isOn, model, strength: share } = choice();
    replace(
      details,
      isOn && picker(t('model', { tool: title }), options, model, (value) => update({ model: value })),
      isOn && slider(t('strength'), share, strength, (value) => update({ strength: value })),
    );
  };
  const toggle = (isOn: boolean) => {
    update({ isOn });
    drawDetails();
  };
  drawDetails();
  return el('div', { className: 'tool' }, checkbox(title, choice().isOn, toggle), details);
}

function enlargeRow(app: App): HTMLElement {
  const { t } = app;
  const options = app.offers.upscale.factors.map((factor) => ({
    value: String(factor),
    text: t(`upscale.${factor}`),
  }));
  const note = text('', 'quiet');
  const drawNote = () => {
    note.textContent = app.choices.upscale > 1 ? t('panel.tools.enlarged') : '';
  };
  drawNote();
  const choose = (factor: string) => {
    app.choices = { ...app.choices, upscale: Number(factor) };
    drawNote();
  };
  return el(
    'div',
    { className: 'tool' },
    text(t('upscale.title')),
    picker(t('upscale.title'), options, String(app.choices.upscale), choose),
    note,
  );
}

function presetRow(app: App, choose: (choices: Choices) => void): HTMLElement {
  const { t } = app;
  const row = el('div', { className: 'presets' });
  const draw = async (selected = '') => {
    const saved = await presets();
    const options = [
      { value: '', text: t('panel.presets.none') },
      ...saved.map(({ name }) => ({ value: name, text: name })),
    ];
    const pick = (name: string) => {
      const preset = saved.find((one) => one.name === name);
      field.value = preset?.name ?? '';
      if (preset) choose({ ...preset.choices, faces: app.choices.faces });
    };
    const field = el('sp-textfield', {
      size: 's',
      placeholder: t('panel.presets.name'),
      'aria-label': t('panel.presets.name'),
      value: selected,
    }) as HTMLInputElement;
    const save = async () => {
      const name = field.value.trim().slice(0, 60);
      if (!name) return;
      await savePreset({ name, choices: withoutFaces(app.choices) });
      await draw(name);
    };
    const remove = async () => {
      await deletePreset(field.value.trim());
      await draw();
    };
    replace(
      row,
      saved.length > 0 && picker(t('panel.presets.label'), options, selected, pick),
      field,
      el(
        'div',
        { className: 'row' },
        button(t('panel.presets.save'), save, { size: 's' }),
        saved.length > 0 && button(t('panel.presets.delete'), remove, { size: 's' }),
      ),
    );
  };
  void draw();
  return row;
}
