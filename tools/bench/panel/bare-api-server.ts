/** The baseline of GET /auth/me: the same framework, one route, one prepared query by primary key, and nothing else. */
import fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ ...(JSON.parse(process.argv[2]!) as pg.PoolConfig), max: 10 });
const app = fastify();
app.get(
  "/me",
  async () =>
    (await pool.query({ name: "session", text: "select * from sessions where token_hash = $1", values: [process.argv[3]] })).rows[0],
);
await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
process.send!({ port: typeof address === "object" ? address!.port : 0 });
