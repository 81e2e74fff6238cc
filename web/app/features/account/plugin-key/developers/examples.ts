import { commandLines, KEY_ARGUMENT } from '../enhance-example';

/** Gets the task at once. @param api base URL of the API's routes */
export const startExample = (api: string): string =>
  commandLines(`curl -i ${KEY_ARGUMENT}`, '-F file=@photo.jpg', `${api}/enhance`);

export const taskExample = (api: string): string => commandLines(`curl ${KEY_ARGUMENT}`, `${api}/tasks/TASK_ID`);

/** Binds the key to a device. */
export const activateExample = (api: string): string =>
  commandLines(
    `curl ${KEY_ARGUMENT}`,
    "-H 'Content-Type: application/json'",
    `-d '{"device_id": "studio-1"}'`,
    `${api}/plugin-keys/activate`,
  );
