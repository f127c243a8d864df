//! The tables as Parquet: the columns of the CSV files, made from them row by row.

use super::tables::{Column, ColumnKind, SweepTable};
use crate::VERSION;
use crate::error::ReportError;
use crate::output::Folder;
use isrlab_scenarios::Axis;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use std::io::Write;
use std::sync::Arc;

/// Rows of a row group: what is held in memory.
const GROUP_ROWS: usize = 16_384;

/// Writes the Parquet file of a table from its CSV file.
///
/// # Errors
/// If the operating system refuses, or the CSV file is not what was written.
pub fn convert(folder: &Folder, table: &SweepTable, axes: &[Axis]) -> Result<(), ReportError> {
    let csv_path = folder.file(&table.csv());
    let name = table.parquet();
    let columns = table.columns(axes);
    let failed = |source: std::io::Error| ReportError::io("write", &folder.file(&name), source);
    let mut reader = csv::Reader::from_path(&csv_path).map_err(|error| unreadable(&csv_path, &error))?;
    folder.write_whole_by(&name, |file| {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_created_by(format!("isrlab {VERSION}"))
            .build();
        let schema = schema(&columns).map_err(|error| failed(std::io::Error::other(error)))?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties));
        let mut writer = writer.map_err(|error| failed(std::io::Error::other(error)))?;
        let mut group: Vec<csv::StringRecord> = Vec::new();
        for record in reader.records() {
            group.push(record.map_err(|error| unreadable(&csv_path, &error))?);
            if group.len() == GROUP_ROWS {
                write_group(&mut writer, &columns, &group)
                    .map_err(|error| failed(std::io::Error::other(error)))?;
                group.clear();
            }
        }
        if !group.is_empty() {
            write_group(&mut writer, &columns, &group)
                .map_err(|error| failed(std::io::Error::other(error)))?;
        }
        writer.close().map_err(|error| failed(std::io::Error::other(error)))?;
        Ok(())
    })
}

fn unreadable(path: &std::path::Path, error: &csv::Error) -> ReportError {
    ReportError::io("read", path, std::io::Error::other(error.to_string()))
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let fields = columns.iter().map(|column| {
        let (physical, logical, converted) = match column.kind {
            ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), ConvertedType::UTF8),
            ColumnKind::Whole => {
                (Physical::INT64, Some(LogicalType::integer(64, false)), ConvertedType::UINT_64)
            }
            ColumnKind::Signed => (Physical::INT64, None, ConvertedType::NONE),
            ColumnKind::Real => (Physical::DOUBLE, None, ConvertedType::NONE),
        };
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .with_converted_type(converted)
            .build()?;
        Ok(Arc::new(field))
    });
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("row").with_fields(fields).build()?))
}

fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &[Column],
    rows: &[csv::StringRecord],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (index, column) in columns.iter().enumerate() {
        let mut out =
            group.next_column()?.ok_or_else(|| ParquetError::General("a column is missing".into()))?;
        let texts: Vec<&str> = rows.iter().map(|row| row.get(index).unwrap_or_default()).collect();
        write_column(&mut out, column, &texts)?;
        out.close()?;
    }
    group.close()?;
    Ok(())
}

fn write_column(
    out: &mut SerializedColumnWriter<'_>,
    column: &Column,
    texts: &[&str],
) -> Result<(), ParquetError> {
    let present: Vec<&&str> = texts.iter().filter(|text| !column.optional || !text.is_empty()).collect();
    let levels: Option<Vec<i16>> =
        column.optional.then(|| texts.iter().map(|text| i16::from(!text.is_empty())).collect());
    let levels = levels.as_deref();
    let wrong = |text: &str| ParquetError::General(format!("{}: {text:?} is no number", column.name));
    match column.kind {
        ColumnKind::Text => {
            let values: Vec<ByteArray> = present.iter().map(|text| ByteArray::from(**text)).collect();
            out.typed::<ByteArrayType>().write_batch(&values, levels, None)?;
        }
        ColumnKind::Whole => {
            // The bits of an unsigned number, as the format wants them.
            let bits = |text: &&&str| text.parse::<u64>().map(|value| value as i64).map_err(|_| wrong(text));
            let values = present.iter().map(bits).collect::<Result<Vec<i64>, _>>()?;
            out.typed::<Int64Type>().write_batch(&values, levels, None)?;
        }
        ColumnKind::Signed => {
            let value = |text: &&&str| text.parse::<i64>().map_err(|_| wrong(text));
            let values = present.iter().map(value).collect::<Result<Vec<i64>, _>>()?;
            out.typed::<Int64Type>().write_batch(&values, levels, None)?;
        }
        ColumnKind::Real => {
            let value = |text: &&&str| text.parse::<f64>().map_err(|_| wrong(text));
            let values = present.iter().map(value).collect::<Result<Vec<f64>, _>>()?;
            out.typed::<DoubleType>().write_batch(&values, levels, None)?;
        }
    }
    Ok(())
}
