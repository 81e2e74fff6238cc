import type { components } from './schema.ts';

/** The API's data by the names of its description, as on the wire. */
export type Schemas = components['schemas'];

/** A picture or video with its results. Addresses of files are signed and short-lived: read the task again instead of storing them. */
export type Task = Schemas['Task'];
export type VideoTask = Schemas['VideoTask'];
export type Pipeline = Schemas['AiPipeline'];
export type VideoPipeline = Schemas['VideoPipeline'];
export type Analysis = Schemas['Analysis'];
export type UsageRow = Schemas['UsageRow'];
export type User = Schemas['User'];
export type TaskStatus = Task['status'];
