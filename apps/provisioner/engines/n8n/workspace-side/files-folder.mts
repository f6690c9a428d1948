/** The only folder that n8n's own nodes read and write files in, by n8n's default; below the workspace's folder, in which n8n runs. */
export const filesFolder = ".n8n-files";
