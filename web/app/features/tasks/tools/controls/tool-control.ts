import type { ToolChoice } from '../choices/choices';
import type { ToolView } from '../view/tools-view';

/** Props of the controls of a tool. */
export interface ToolControlProps {
  readonly tool: ToolView;
  readonly choice: ToolChoice;
  readonly onChange: (change: Partial<ToolChoice>) => void;
}
