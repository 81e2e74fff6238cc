import type { AiPipeline, ToolName } from '@clearframe/contract';
import { ToolNotAvailableError } from '../ai/errors.js';

/** Tools that the contract knows and this engine has no step for yet. */
const NOT_AVAILABLE: readonly ToolName[] = ['faceLifting', 'bokeh', 'colorEnhance'];

/** Throws {@link ToolNotAvailableError} for the first tool that cannot run. */
export function assertAvailable(pipeline: AiPipeline): void {
  for (const tool of NOT_AVAILABLE) {
    if (pipeline[tool] !== undefined) throw new ToolNotAvailableError(tool);
  }
}
