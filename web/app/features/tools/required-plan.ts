import { type Choices, CUSTOM_BOKEH } from './choices';
import type { ModelView, ToolsView } from './tools-view';

/** The plan that includes all chosen models; null when the visitor's plan does. */
export function requiredPlanOf(
  { tools }: Choices,
  { sections }: Pick<ToolsView, 'sections'>,
): ModelView['requiredPlan'] {
  const plans = sections.flatMap(({ tools: own }) =>
    own.flatMap(({ tool, models }) => {
      const { model } = tools[tool];
      // Custom values need every model of the tool.
      return models.filter((one) => one.model === model || model === CUSTOM_BOKEH).map((one) => one.requiredPlan);
    }),
  );
  return plans.includes('business') ? 'business' : plans.includes('personal') ? 'personal' : null;
}
