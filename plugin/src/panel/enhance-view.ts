import { canceled } from '../core/abort.ts';
import { cropOf } from '../core/pixels.ts';
import {
  activeDocument,
  activeTarget,
  hasSelection,
  jpegAddressOf,
  type Scope,
  type Target,
} from '../host/documents.ts';
import { enhance, type Outcome, type Step } from '../work/enhance.ts';
import { rememberChoices } from '../work/memory.ts';
import type { App } from './app.ts';
import { button, el, heading, picker, replace, slider, status, text } from './dom.ts';
import { messageOf } from './failure.ts';
import { toolsForm } from './tools-form.ts';

const SCOPES: readonly Scope[] = ['layer', 'selection', 'document'];

/** The newest run's title: that of its only tool, or of the product. */
export function titleOf({ t, choices }: App): string {
  const on = Object.entries(choices.tools).filter(([, { isOn }]) => isOn);
  const [only] = on;
  return on.length === 1 && only
    ? t(`tools.${only[0].replaceAll(/_(\w)/g, (_, l: string) => l.toUpperCase())}`)
    : 'Clearframe';
}

export const stepText = ({ t }: App, { phase, place, remainingSeconds }: Step): string => {
  const main = phase === 'waiting' && place ? t('panel.run.place', { place }) : t(`panel.run.${phase}`);
  return remainingSeconds ? `${main} ${t('panel.run.remaining', { seconds: Math.ceil(remainingSeconds) })}` : main;
};

/** What the user should know of a result: where it is, and how it differs from what was asked for. */
function notesOf(
  { depth, isConverted }: Target,
  { depth: madeWith, isJpeg }: Outcome,
  isEnlarged: boolean,
): readonly string[] {
  const sent = isJpeg ? ['asJpeg'] : [];
  if (isEnlarged) return ['doneDocument', ...sent];
  const converted = depth > madeWith ? ['converted'] : isConverted ? ['convertedColors'] : [];
  return ['done', ...converted, ...sent];
}

/** Tools, what they work on, and the run. */
export function enhanceView(app: App): HTMLElement {
  const { t } = app;
  let scope: Scope = hasSelection() ? 'selection' : 'layer';
  const name = text('', 'quiet');
  const scopes = el('div');
  const drawScope = () => {
    if (scope === 'selection' && !hasSelection()) scope = 'layer';
    name.textContent = activeDocument()?.name ?? t('panel.errors.no_document');
    const options = SCOPES.map((value) => ({
      value,
      text: t(`panel.scope.${value}`),
      isDisabled: value === 'selection' && !hasSelection(),
    }));
    replace(
      scopes,
      picker(t('panel.scope.label'), options, scope, (value) => {
        scope = value;
      }),
    );
  };
  const run = el('section', { className: 'run', 'aria-label': t('panel.run.start') });
  const faces = el('section', { className: 'faces', 'aria-label': t('faces.title') });

  const idle = (message = '') => {
    const news = status();
    news.textContent = message;
    replace(
      run,
      button(t('panel.run.start'), () => void start(), { variant: 'cta' }),
      news,
    );
  };

  const start = async () => {
    const controller = new AbortController();
    const news = status();
    const bar = el('sp-progressbar', { max: 100, value: 0, 'aria-label': t('panel.run.start') });
    const onStep = (step: Step) => {
      bar.setAttribute('value', String(Math.round(step.share * 100)));
      const words = stepText(app, step);
      if (news.textContent !== words) news.textContent = words;
    };
    replace(
      run,
      bar,
      news,
      button(t('panel.run.cancel'), () => controller.abort(canceled())),
    );
    const { service, choices, offers } = app;
    if (!service) return;
    const title = titleOf(app);
    try {
      const target = activeTarget(scope);
      const { signal } = controller;
      const outcome = await enhance(target, { service, choices, upscale: offers.upscale, title, signal, onStep });
      await rememberChoices(choices, target.documentPath);
      const notes = notesOf(target, outcome, choices.upscale > 1);
      idle(notes.map((note) => t(`panel.run.${note}`)).join(' '));
      if (activeDocument()?.id === target.documentId) await showFaces(outcome);
    } catch (error) {
      idle(messageOf(error, t));
    }
  };

  const showFaces = async ({ task, pixels }: Outcome) => {
    const found = task.result?.outputs[0]?.faces ?? [];
    const output = task.result?.outputs[0];
    const isOn = app.choices.tools.face_enhance?.isOn;
    if (found.length === 0 || !pixels || !output || !isOn) return replace(faces);
    const rows = await Promise.all(
      found.map(async ({ box, identity_similarity: similarity }, index) => {
        const scale = pixels.width / (output.width ?? pixels.width);
        const address = await jpegAddressOf(cropOf(pixels, box, scale));
        const title = t('faces.face', { number: index + 1 });
        const set = (share: number) => {
          app.choices = { ...app.choices, faces: { ...app.choices.faces, [index]: share } };
        };
        return el(
          'div',
          { className: 'face' },
          el('img', { src: address, alt: title, width: 48, height: 48 }),
          el(
            'div',
            { className: 'grow' },
            typeof similarity === 'number' &&
              text(t('panel.faces.alike', { percent: Math.round(similarity * 100) }), 'quiet'),
            slider(title, app.choices.faces[index] ?? 1, { min: 0, max: 1 }, set),
          ),
        );
      }),
    );
    replace(faces, heading(t('faces.title')), ...rows, text(t('panel.faces.again'), 'quiet'));
  };

  const tools = toolsForm(app);
  app.onDocumentChange = async () => {
    drawScope();
    if (!(await app.followDocument())) return;
    tools.draw();
    replace(faces);
  };
  drawScope();
  idle();
  return el(
    'main',
    { className: 'view' },
    app.service?.isTest ? text(t('panel.account.test'), 'notice') : null,
    name,
    scopes,
    run,
    tools.form,
    faces,
  );
}
