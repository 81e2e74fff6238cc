import type { RouteSpec } from './http/route.js';
import { sandboxRoutes } from './resources/sandbox.js';
import { taskRoutes } from './resources/tasks.js';
import { userRoutes } from './resources/users.js';

/** The whole call table. What `api` serves under {@link BASE_PATH} and what stands here are the same, or the build fails. */
export const ROUTES: readonly RouteSpec[] = [...Object.values(userRoutes), ...Object.values(taskRoutes)];

/** Rows that exist only while sandbox adapters are chosen. */
export const SANDBOX_ROUTES: readonly RouteSpec[] = Object.values(sandboxRoutes);
