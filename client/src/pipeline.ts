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
  /** Grades color and light. */
  readonly color?: Choice<'color_enhance'>;
  readonly upscale?: 'auto' | 1 | 2 | 4;
  /** All tools by the API's names, or `auto` for those that the server suggests; instead of the others. */
  readonly pipeline?: Pipeline | 'auto';
}

const named = <Value extends object>(choice: boolean | string | Value | undefined): Value | undefined => {
  if (choice === undefined || choice === false) return undefined;
  if (choice === true) return { model: 'base' } as unknown as Value;
  return typeof choice === 'string' ? ({ model: choice } as unknown as Value) : choice;
};

/** @returns undefined when no tool is named, which leaves the choice to the server */
export function pipelineOf({ pipeline, faces, background, retouch, blur, color, upscale }: Tools): Tools['pipeline'] {
  if (pipeline !== undefined) return pipeline;
  const tools = {
    face_enhance: named<Tool<'face_enhance'>>(faces),
    face_lifting: named<Tool<'face_lifting'>>(retouch),
    background_enhance: named<Tool<'background_enhance'>>(background),
    bokeh: named<Tool<'bokeh'>>(blur),
    color_enhance: named<Tool<'color_enhance'>>(color),
    upscale: upscale === undefined ? undefined : { factor: upscale },
  };
  const isNone = [faces, background, retouch, blur, color, upscale].every((choice) => choice === undefined);
  return isNone ? undefined : (Object.fromEntries(Object.entries(tools).filter(([, tool]) => tool)) as Pipeline);
}
