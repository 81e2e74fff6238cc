import type { Pipeline } from './schemas.ts';

type Tool<Name extends keyof Pipeline> = NonNullable<Pipeline[Name]>;
type ModelOf<Value> = Value extends { readonly model: infer Model } ? Model : never;
/** A model by its name, or a tool with all its values. */
type Choice<Name extends keyof Pipeline> = ModelOf<Tool<Name>> | Tool<Name>;

/** Tools by short names; `pipeline` has the API's. Without any the account's saved default applies, else faces and background. */
export interface Tools {
  /** Restores faces. */
  readonly faces?: boolean | Choice<'face_enhance'>;
  /** Restores everything but faces. */
  readonly background?: boolean | Choice<'background_enhance'>;
  /** Retouches faces. */
  readonly retouch?: Choice<'face_lifting'>;
  /** Blurs the background behind people. */
  readonly blur?: Choice<'bokeh'>;
  /** Restores the colors of faded prints. */
  readonly fade?: boolean | Choice<'fade'>;
  /** Grades color and light. */
  readonly color?: Choice<'color_enhance'>;
  readonly upscale?: 'auto' | 1 | 2 | 4;
  /** `original`: as large as the original, with Business. Alone it is with the tools `faces` and `background`. */
  readonly outputSize?: NonNullable<Pipeline['output_size']>;
  /** All tools by the API's names, or `auto` for those that the server suggests; instead of the others but `outputSize`. */
  readonly pipeline?: Pipeline | 'auto';
}

const named = <Value extends object>(choice: boolean | string | Value | undefined): Value | undefined => {
  if (choice === undefined || choice === false) return undefined;
  if (choice === true) return { model: 'base' } as unknown as Value;
  return typeof choice === 'string' ? ({ model: choice } as unknown as Value) : choice;
};

/** @returns undefined when no tool is named, which leaves the choice to the server */
export function pipelineOf({ pipeline, outputSize, ...choices }: Tools): Tools['pipeline'] {
  const chosen = pipeline ?? chosenOf(choices);
  if (outputSize === undefined) return chosen;
  const tools = chosen === 'auto' ? ({ auto: true } as const) : (chosen ?? chosenOf({ faces: true, background: true }));
  return { ...tools, output_size: outputSize };
}

function chosenOf({ faces, background, retouch, blur, fade, color, upscale }: Omit<Tools, 'pipeline' | 'outputSize'>) {
  const tools = {
    face_enhance: named<Tool<'face_enhance'>>(faces),
    face_lifting: named<Tool<'face_lifting'>>(retouch),
    background_enhance: named<Tool<'background_enhance'>>(background),
    bokeh: named<Tool<'bokeh'>>(blur),
    fade: named<Tool<'fade'>>(fade),
    color_enhance: named<Tool<'color_enhance'>>(color),
    upscale: upscale === undefined ? undefined : { factor: upscale },
  };
  const isNone = [faces, background, retouch, blur, fade, color, upscale].every((choice) => choice === undefined);
  return isNone ? undefined : (Object.fromEntries(Object.entries(tools).filter(([, tool]) => tool)) as Pipeline);
}
